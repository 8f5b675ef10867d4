import { isObject } from '../../../lib/maps/objects.ts';
import type { NewMessage } from '../../../model/new-message.ts';

/** Marks of a deletion, as tables and programs of the platforms write them. */
const marks = ['deleted', 'is_deleted', 'isDeleted', 'deleted_at', 'deletedAt', 'delete_at'] as const;
/** Keys of an object around the message. */
const wrappers = ['post', 'message', 'item', 'data'] as const;

/** Values of a row that are looked through for files. */
const valuesMax = 2000;

/** A message whose row says that it was deleted is deleted; a file has no address any more. Most rows have no mark. */
export function noteDeleted(record: NewMessage, row: unknown): void {
  if (record.isDeleted || !isObject(row)) return;
  if (isMarked(row) || wrappers.some((key) => isObject(row[key]) && isMarked(row[key]))) record.isDeleted = true;
  else if (record.attachments) markFiles(record, record.attachments, row);
}

const isMarked = (fields: Readonly<Record<string, unknown>>): boolean =>
  marks.some((mark) => {
    const value = fields[mark];
    if (value === undefined || value === null) return false;
    return value === true || value === 'true' || (mark.endsWith('t') && typeof value !== 'boolean' && Boolean(value));
  });

function markFiles(record: NewMessage, files: NonNullable<NewMessage['attachments']>, row: object): void {
  const values: unknown[] = Object.values(row);
  const words = new Set<unknown>();
  for (let at = 0; at < values.length && at < valuesMax; at += 1) {
    const value = values[at];
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (isObject(value) && isMarked(value))
      for (const word of inner) words.add(typeof word === 'number' ? String(word) : word);
    else values.push(...inner);
  }
  if (words.size === 0) return;
  record.attachments = files.map(({ url, ...file }) =>
    [url, file.id, file.name].some((word) => word !== undefined && words.has(word))
      ? { ...file, unavailable: 'deleted' }
      : { ...file, ...(url !== undefined && { url }) },
  );
}
