import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { consecutiveIdsOf } from '../kit/consecutive-ids.ts';
import { defineSource, type GoOnRequest, type ReadContext } from '../source.ts';
import { messagesAlone } from '../tables/assign-tables.ts';
import { tablesCodes } from '../tables/codes.ts';
import { readerStateOf, readTables } from '../tables/read-tables.ts';
import { csvCodes } from './codes.ts';
import { lookAtFile, lookBytes, mayBeTable } from './file-look.ts';
import { type CsvOptions, csvOptionsSchema } from './options.ts';
import { probe } from './probe.ts';
import { propose } from './propose.ts';
import { csvRowReader, isReadAlike } from './rows.ts';

/** Messages of any chat as tables in text: CSV, TSV and their relatives. Which column is what is said by the mapping. */
export const csv = defineSource({
  name: 'csv',
  title: 'CSV or TSV tables of any shape (needs a mapping)',
  what: 'tables: any delimiter, quotes, encoding; one file or several joined by id; `.gz`, standard input (`-`)',
  notes: 'files; [docs/sources/tables.md](docs/sources/tables.md): what a column means',
  sortKeys: 'always',
  describes: 'repeatedly',
  options: csvOptionsSchema,
  codes: [...tablesCodes, ...csvCodes],
  consecutiveIds: consecutiveIdsOf,
  probe,
  propose,
  canGoOn,
  read,
});

async function* read(input: ExportInput, options: CsvOptions, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
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

async function canGoOn({ input, path, end, options }: GoOnRequest<CsvOptions>): Promise<boolean> {
  const paths = await input.paths();
  const isTable = (candidate: string) => mayBeTable(candidate, paths);
  if (!messagesAlone(paths, options.tables, { path, isTable })) return false;
  return isReadAlike(lookAtFile(await input.head(path, lookBytes), options), readerStateOf(end));
}
