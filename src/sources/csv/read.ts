import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import type { ReadSource } from '../source.ts';
import type { TableContext } from '../table-source.ts';
import { rowsAt as rowsOfTable } from '../tables/rows-at.ts';
import { readTables } from '../tables/read-tables.ts';
import { mayBeTable } from './csv-shape.ts';
import type { CsvOptions } from './options.ts';
import { propose } from './propose.ts';
import { csvRowReader } from './rows.ts';

export { outline, propose } from './propose.ts';

export const read: ReadSource<CsvOptions, TableContext> = async function* (exported, options, context) {
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
};

export const rowsAt = (input: ExportInput, options: CsvOptions, locations: readonly Location[]) =>
  rowsOfTable(csvRowReader(input, options), options.tables?.messages, locations);
