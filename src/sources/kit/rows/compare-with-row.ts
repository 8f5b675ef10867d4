import { parsePointer } from '../../../io/json/json-pointer.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { NewMessage } from '../../../model/new-message.ts';
import { noteDeleted } from './deleted-marks.ts';
import { findUnread } from './unread-content.ts';

/**
 * Compares the messages of a row with the row itself, for what no source may overlook: a mark that it, or a file of it, was deleted; and, of a
 * message that has neither text nor a file, fields that hold something. A blank message has none of these: in others may be what people saw.
 *
 * @param begin Length of `into` before the row.
 */
export function compareWithRow(row: unknown, location: Location, into: readonly Entry[], begin = 0): void {
  for (let index = begin; index < into.length; index += 1) {
    const entry = into[index]!;
    if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
    const record = entry.record as NewMessage;
    const value = valueAt(row, location, entry.location);
    noteDeleted(record, value);
    if (record.attachments || record.isDeleted || record.call || /\S/.test(record.text)) continue;
    const unread = findUnread(value);
    if (unread.length > 0) record.unread = unread;
  }
}

/** A message may be a part of the row: its pointer goes on from that of the row. */
function valueAt(row: unknown, { pointer: outer = '' }: Location, { pointer = '' }: Location): unknown {
  if (pointer === outer) return row;
  const parts = pointer.startsWith(outer) ? parsePointer(pointer.slice(outer.length)) : undefined;
  return (parts ?? []).reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], row);
}
