import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import type { Probe } from '../source.ts';
import { isNamedTable, findCsvShape, mayBeTable } from './csv-shape.ts';
import { fileOptionsSchema } from './options.ts';

const filesMax = 3;

const headBytes = 16 * 1024;

/** Without a name that says so, so many rows with the same fields make a table. */
const rowsMin = 3;

/** Likely where one of the first files is a table, never certain: anybody's CSV is. */
export async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  const candidates = paths.filter((path) => mayBeTable(path, paths)).slice(0, filesMax);
  for (const path of candidates) {
    const because = await whyTable(input, path);
    if (because !== undefined) return { match: 'likely', because: `"${path}": ${because}` };
  }
  return { match: 'no' };
}

async function whyTable(input: ExportInput, path: string): Promise<string | undefined> {
  const head = await headOrNothing(input, path, headBytes);
  // A NUL in text that is no UTF-16 is a picture, a database, a program.
  const { encoding, delimiters, header, rows } = findCsvShape(head, fileOptionsSchema.parse({}));
  if (encoding.encoding === 'windows-1252' && head.includes(0)) return undefined;
  const [best] = delimiters;
  if (best && (isNamedTable(path) || (best.consistency === 1 && best.rowCount >= rowsMin && header.isFirstRow))) {
    return `a table of ${best.fieldCount} columns`;
  }
  return isNamedTable(path) && rows.length > 1 ? 'named as a table' : undefined;
}
