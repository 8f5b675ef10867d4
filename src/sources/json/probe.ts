import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/file-bytes.ts';
import type { Probe } from '../source.ts';
import { lookAt, mayHoldRows } from './layout.ts';
import { findLists } from './find-lists.ts';

const filesMax = 3;
const headBytes = 16 * 1024;

/** Likely where one of the first files begins with objects that look like rows. Never certain: anybody's JSON does. */
export async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  for (const path of paths.filter((candidate) => mayHoldRows(candidate, paths.length)).slice(0, filesMax)) {
    const because = await whyRows(input, path);
    if (because !== undefined) return { match: 'likely', because: `"${path}": ${because}` };
  }
  return { match: 'no' };
}

async function whyRows(input: ExportInput, path: string): Promise<string | undefined> {
  const look = lookAt(path, await headOrNothing(input, path, headBytes));
  if (look === undefined) return undefined;
  if (look.layout !== 'list') return look.because;
  const [list] = findLists(look.value);
  if (list === undefined) return undefined;
  return list.list === '' ? 'a list of objects' : `a list of objects at ${list.list}`;
}
