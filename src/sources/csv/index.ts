import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { consecutiveIdsOf } from '../kit/rows/consecutive-ids.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { rowsAt } from '../tables/rows-at.ts';
import { queryPathsOf, readTables } from '../tables/read-tables.ts';
import { csvCodes } from './codes.ts';
import { isNamedTable, csvShapeOf, mayBeTable } from './csv-shape.ts';
import { type CsvOptions, csvOptionsSchema, fileOptionsSchema } from './options.ts';
import { outline, propose } from './propose.ts';
import { csvRowReader } from './rows.ts';

/** Messages of any chat as tables in text: CSV, TSV and their relatives. Which column is what is said by the mapping. */
export const csv = defineSource({
  name: 'csv',
  title: 'CSV or TSV tables of any shape (needs a mapping)',
  what: 'tables: any delimiter, quotes, encoding; one file or several joined by id; `.gz`, standard input (`-`)',
  notes: 'files; [tables](tables.md): meaning of a column',
  sortKeys: 'always',
  options: csvOptionsSchema,
  codes: [...tablesCodes, ...csvCodes],
  consecutiveIds: consecutiveIdsOf,
  queryPaths: queryPathsOf,
  probe,
  propose,
  outline,
  rowsAt: (input, options, locations) => rowsAt(csvRowReader(input, options), options.tables?.messages, locations),
  read,
});

const filesMax = 3;
const headBytes = 16 * 1024;
/** Without a name that says so, so many rows with the same fields make a table. */
const rowsMin = 3;

/** Likely where one of the first files is a table, never certain: anybody's CSV is. */
async function probe(input: ExportInput): Promise<Probe> {
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
  const { encoding, delimiters, header, rows } = csvShapeOf(head, fileOptionsSchema.parse({}));
  if (encoding.encoding === 'windows-1252' && head.includes(0)) return undefined;
  const [best] = delimiters;
  if (best && (isNamedTable(path) || (best.consistency === 1 && best.rowCount >= rowsMin && header.isFirstRow))) {
    return `a table of ${best.fieldCount} columns`;
  }
  return isNamedTable(path) && rows.length > 1 ? 'named as a table' : undefined;
}

async function* read(
  exported: ExportInput,
  options: CsvOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, () => expectedText);
  const paths = await input.paths();
  yield* readTables({
    source: 'csv',
    input,
    bindings: options,
    tables: options.tables,
    reader: csvRowReader(input, options),
    isTable: (path) => mayBeTable(path, paths),
    context,
    propose: () => propose(input, options),
  });
}
