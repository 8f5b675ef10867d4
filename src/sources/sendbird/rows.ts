import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { readCsvTable } from '../kit/rows/csv-table.ts';
import type { JsonFile } from '../kit/rows/json-entries.ts';
import { addUnforeseen } from '../kit/rows/json-entries.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { compareWithRow } from '../kit/rows/compare-with-row.ts';
import type { SavedPages } from '../kit/rows/saved-pages.ts';
import { isMessageColumn } from './columns.ts';

/** Content and layout of a file. */
export interface Layout {
  readonly kind: 'people' | 'members' | 'channels' | 'messages';
  readonly at: JsonRowsAt | { readonly delimiter: string };
}

/** Input from which rows are read. */
export interface RowsInput {
  readonly input: ExportInput;
  /** Answers of the API come in pages. */
  readonly pages: SavedPages;
}

/** The entries of a file of rows, JSON or a table. A row of a table is as one of JSON: its columns are keys. */
export async function* readRows(
  { input, pages }: RowsInput,
  path: string,
  { kind, at }: Layout,
  file: JsonFile,
): AsyncGenerator<readonly Entry[]> {
  if (!('delimiter' in at)) {
    yield* pages.read(path, at, file);
    return;
  }
  const isKnown = kind === 'messages' ? isMessageColumn : () => true;
  try {
    for await (const rows of readCsvTable(input, path, isKnown, at.delimiter)) {
      const into: Entry[] = [];
      for (const row of rows) {
        const { location } = row;
        const begin = into.length;
        try {
          if (row.fault !== undefined) {
            const fault = { code: 'sendbird-bad-row', reason: row.fault, scope: 'row' } as const;
            file.addFault!({ location, fault }, into);
          } else {
            const value = objectIn(row.names, row.cell);
            await file.add({ location, value }, into);
            compareWithRow(value, location, into, begin);
          }
        } catch (error) {
          addUnforeseen(file, location, error, { into, begin });
        }
      }
      yield into;
    }
  } catch (error) {
    yield file.end();
    throw error;
  }
  yield file.end();
}

/** `user.user_id` is a field of `user`; `user_id` and `sender_id` of a message, too. */
function objectIn(names: Iterable<string>, cell: (name: string) => string | undefined): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name of names) {
    const value = cell(name);
    if (value === undefined) continue;
    const dot = name.indexOf('.');
    if (dot === -1) row[name] = value;
    else {
      const outer = name.slice(0, dot);
      const inner = typeof row[outer] === 'object' ? (row[outer] as Record<string, unknown>) : {};
      row[outer] = { ...inner, [name.slice(dot + 1)]: value };
    }
  }
  if (row.message_id !== undefined && row.user === undefined) {
    const user_id = row.user_id ?? row.sender_id;
    const nickname = row.nickname ?? row.sender_nickname;
    if (user_id !== undefined) row.user = { user_id, ...(nickname !== undefined && { nickname }) };
  }
  return row;
}
