import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { ReadSource } from '../source.ts';
import type { TableContext } from '../table-source.ts';
import { rowsAt as rowsOfTable } from '../tables/rows-at.ts';
import { readTables } from '../tables/read-tables.ts';
import { rowFilesIn } from './layout.ts';
import type { JsonOptions } from './options.ts';
import { propose } from './propose.ts';
import { jsonRowReader } from './rows.ts';

export { outline, propose } from './propose.ts';
export { findPreset as preset } from './presets.ts';

export const read: ReadSource<JsonOptions, TableContext> = async function* (input, { tables, ...bindings }, context) {
  const isTable = rowFilesIn(await input.paths());
  yield* readTables({
    source: 'json',
    input,
    bindings,
    tables,
    reader: jsonRowReader(input),
    isTable,
    context,
    propose: () => propose(input, { ...bindings, tables }),
  });
};

export const rowsAt = (input: ExportInput, { tables }: JsonOptions, locations: readonly Location[]) =>
  rowsOfTable(jsonRowReader(input), tables?.messages, locations);
