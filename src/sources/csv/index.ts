import type { ExportInput } from '../../io/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { readTables } from '../table/read-tables.ts';
import { mayBeTable } from './files.ts';
import { type CsvOptions, csvOptionsSchema } from './options.ts';
import { probe } from './probe.ts';
import { propose } from './propose.ts';
import { csvRowReader } from './rows.ts';

/** Messages of any chat as tables in text: CSV, TSV and their relatives. Which column is what is said by the mapping. */
export const csv = defineSource({
  name: 'csv',
  title: 'CSV or TSV tables of any shape (needs a mapping)',
  options: csvOptionsSchema,
  probe,
  propose,
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
