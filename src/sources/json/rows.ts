import type { ExportInput } from '../../io/export-input.ts';
import type { RowReader, RowStep } from '../table/row.ts';
import type { JsonTable } from './options.ts';
import { readRows } from './read-rows.ts';
import { findRows, lookBytes } from './rows-at.ts';

/** The rows of an export's files, for whoever binds them. */
export function jsonRowReader(input: ExportInput): RowReader<JsonTable> {
  return { hasFixedNames: false, rows: (path, table) => rows(input, path, table) };
}

async function* rows(
  input: ExportInput,
  path: string,
  table: JsonTable | undefined,
): AsyncGenerator<readonly RowStep[]> {
  const found = findRows(path, await input.head(path, lookBytes), table);
  if (found.at === undefined) {
    yield [{ type: 'reject', code: found.code, reason: found.reason, location: { path } }];
    return;
  }
  yield* readRows(input.open(path), path, found.at);
}
