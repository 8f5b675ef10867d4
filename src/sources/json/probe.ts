import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import type { Probe } from '../source.ts';
import { findLists } from './find-lists.ts';
import { recogniseLayout, rowFilesIn } from './layout.ts';

const filesMax = 3;

const headBytes = 16 * 1024;

/** Likely where one of the first files begins with objects that look like rows. Never certain: anybody's JSON does. */
export async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  for (const path of paths.filter(rowFilesIn(paths)).slice(0, filesMax)) {
    const because = await whyRows(input, path);
    if (because !== undefined) return { match: 'likely', because: `"${path}": ${because}` };
  }
  return { match: 'no' };
}

async function whyRows(input: ExportInput, path: string): Promise<string | undefined> {
  const recognised = recogniseLayout(path, await headOrNothing(input, path, headBytes));
  if (recognised === undefined) return undefined;
  if (recognised.layout !== 'list') return recognised.because;
  const [list] = findLists(recognised.value);
  if (list === undefined) return undefined;
  return list.list === '' ? 'a list of objects' : `a list of objects at ${list.list}`;
}
