import { isObject } from '../../../lib/maps/objects.ts';
import type { NewMessage } from '../../../model/new-message.ts';

/** Fields of a row by which tables and programs of the platforms say that it was deleted, and those of objects around a message. */
interface Marked {
  readonly deleted?: unknown;
  readonly is_deleted?: unknown;
  readonly isDeleted?: unknown;
  readonly deleted_at?: unknown;
  readonly deletedAt?: unknown;
  readonly delete_at?: unknown;
  readonly post?: unknown;
  readonly message?: unknown;
  readonly item?: unknown;
  readonly data?: unknown;
}

/** Values of a row that are looked through for files. */
const valuesMax = 2000;

/** A message whose row says that it was deleted is deleted; a file has no address any more. Most rows have no mark. */
export function noteDeleted(record: NewMessage, row: unknown): void {
  if (record.isDeleted || !isObject(row)) return;
  const { post, message, item, data } = row as Marked;
  if (isMarked(row) || isMarked(post) || isMarked(message) || isMarked(item) || isMarked(data)) record.isDeleted = true;
  else if (record.attachments) markFiles(record, record.attachments, row);
}

/** Asked of every message, so each field is read by its name: engines find that faster than names in a list. */
function isMarked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { deleted, is_deleted, isDeleted, deleted_at, deletedAt, delete_at } = value as Marked;
  const isSet = isTrue(deleted) || isTrue(is_deleted) || isTrue(isDeleted);
  return isSet || isTime(deleted_at) || isTime(deletedAt) || isTime(delete_at);
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const isTime = (value: unknown): boolean => Boolean(value) && typeof value !== 'boolean';

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
