import type { ExportInput } from '../../io/input/export-input.ts';
import { chunksFrom } from '../kit/file-bytes.ts';
import type { GrowingRows, RowReader, RowStep } from '../tables/row.ts';
import type { JsonTable } from './options.ts';
import { readRows } from './read-rows.ts';
import { findRows, lookBytes } from './rows-at.ts';

/** The rows of an export's files, for whoever binds them. */
export function jsonRowReader(input: ExportInput): RowReader<JsonTable> {
  return { hasFixedNames: false, rows: (path, table, growing) => rows(input, path, { table, growing }) };
}

async function* rows(
  input: ExportInput,
  path: string,
  { table, growing }: { readonly table: JsonTable | undefined; readonly growing: GrowingRows | undefined },
): AsyncGenerator<readonly RowStep[]> {
  const found = findRows(path, await input.head(path, lookBytes), table);
  if (found.at === undefined) {
    yield [{ type: 'reject', code: found.code, reason: found.reason, location: { path } }];
    return;
  }
  yield* readRows(chunksFrom(input, path, growing?.from), path, found.at, growing);
}
