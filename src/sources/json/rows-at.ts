import { parsePointer } from '../../io/json/json-pointer.ts';
import { findLists } from './find-lists.ts';
import { type Look, lookAt } from './layout.ts';
import type { JsonTable } from './options.ts';
import type { RowsAt } from './read-rows.ts';

/** What is looked at of a file to learn where its rows stand. */
export const lookBytes = 256 * 1024;

/** Where the rows of a file stand, or why nobody can say. */
export type RowsFound =
  | { readonly at: RowsAt }
  | { readonly at?: never; readonly code: string; readonly reason: string };

/**
 * What a table's settings say, else what the beginning of the file shows. An object that has lists is never guessed about: it
 * may be a page of messages, or one message with attachments.
 */
export function findRows(path: string, beginning: Uint8Array, table: JsonTable | undefined): RowsFound {
  if (table?.layout === 'lines' || table?.layout === 'values') return { at: { layout: table.layout } };
  if (table?.list !== undefined) return { at: listAt(table.list) };
  if (table?.layout === 'list') return { at: listAt('') };
  const look = lookAt(path, beginning);
  if (look === undefined) return nothing(beginning);
  if (look.layout !== 'list') return { at: { layout: look.layout } };
  if (look.isArray) return { at: listAt('') };
  return rowsOfObject(look, beginning.length < lookBytes);
}

/** @param isWhole Whether the file ends where the look does. */
function rowsOfObject({ value, isComplete }: Look, isWhole: boolean): RowsFound {
  const lists = findLists(value).map(({ list }) => `"${list}"`);
  if (lists.length === 0 && (isWhole || isComplete)) return { at: { layout: 'values' } };
  const found = lists.length === 0 ? 'no list near its beginning' : `lists at ${lists.slice(0, 5).join(', ')}`;
  const reason =
    `Cannot tell where the rows stand: the file is one object, with ${found}; say it with source.tables.messages.list in the mapping, ` +
    'or layout: values if the object itself is a row';
  return { code: 'json-list-unknown', reason };
}

function nothing(beginning: Uint8Array): RowsFound {
  if (beginning.length === 0) return { code: 'json-empty', reason: 'Cannot read rows: the file is empty' };
  return { code: 'json-no-list', reason: 'Cannot read rows: expected an object or an array, found something else' };
}

const listAt = (list: string): RowsAt => ({ layout: 'list', pattern: parsePointer(list) ?? [] });
