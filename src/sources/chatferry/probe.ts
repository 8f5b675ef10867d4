import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { readHead } from './head.ts';
import { isNamedAsOurs } from './layout.ts';

/** How much of a file is looked at: enough for a header, or for the first people. */
const headBytes = 16 * 1024;

/** Files that are looked at. */
const filesMax = 3;

/** Returns `certain` if a file begins with lines of the format, `likely` if lines look like it and have faults. */
export async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  const named = paths.filter(isNamedAsOurs);
  let likely: Probe | undefined;
  // A file that was named alone may be called anything.
  for (const path of (paths.length === 1 ? paths : named).slice(0, filesMax)) {
    const { match, header } = await readHead(input, path, headBytes);
    if (header !== undefined) return { match: 'certain', because: `a header of this format in "${path}"` };
    if (match === 'ours') return { match: 'certain', because: `records of this format in "${path}"` };
    if (match === 'maybe') likely ??= { match: 'likely', because: `lines in "${path}" that look like records` };
  }
  return likely ?? { match: 'no' };
}
