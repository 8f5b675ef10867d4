import type { ExportInput } from '../../io/input/export-input.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import type { Probe } from '../source.ts';
import { isPageName } from './format.ts';
import { hasMarks, isPage } from './files.ts';

const probedMax = 6;

export async function probe(input: ExportInput): Promise<Probe> {
  const pages = withoutClutter(await input.paths()).own.filter(isPage);
  const likely = [...pages.filter(isPageName), ...pages.filter((path) => !isPageName(path))];
  for (const path of likely.slice(0, probedMax))
    if (await hasMarks(input, path)) return { match: 'certain', because: `the classes of Google Voice in "${path}"` };
  return { match: 'no' };
}
