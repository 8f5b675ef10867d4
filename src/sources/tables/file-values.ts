import { findUnread } from '../kit/rows/unread-content.ts';
import { valueText } from './bind/value.ts';
import type { Row } from './row.ts';
import { isReadBy } from './unmapped.ts';

/** Patterns of values in columns of files: addresses and paths. */

const endings =
  'jpe?g|png|gif|webp|heic|bmp|svg|tiff?|mp4|mov|m4v|webm|3gp|avi|mkv|mp3|m4a|aac|og[ga]|opus|wav|amr|pdf|docx?|xlsx?|pptx?|odt|csv|txt|zip|vcf';
const address = new RegExp(`^https?://\\S+\\.(?:${endings})(?:[?#]\\S*)?$`, 'i');
const path = new RegExp(`^[^\\s"<>|]+\\.(?:${endings})$`, 'i');
const inside = new RegExp(`"(?:https?://[^"\\s]+|[^"\\s]+\\.(?:${endings}))"`, 'i');

/** Characters of a value that are looked at. */
const lengthMax = 4000;

/** A web address that ends like that of a picture, a film, a recording or a document. */
export const isFileAddress = (text: string): boolean => text.length <= lengthMax && address.test(text);

/** The same, or a path or name that ends so: `uploads/a.png`, `IMG-1.jpg`. */
export const isFilePath = (text: string): boolean =>
  isFileAddress(text) || (text.length <= lengthMax && path.test(text));

/** Anything that may lead to a file: also an address of any kind, and JSON with one in it. */
const mayBeFile = (text: string): boolean =>
  isFilePath(text) || /^https?:\/\/\S+$/.test(text) || (/^[[{]/.test(text) && inside.test(text.slice(0, lengthMax)));

/** Fields of a row that are looked at for a file. */
const fieldsMax = 200;

/** Returns the first unread field with a value that looks like a file. */
export const unreadFile = (row: Row, reads: readonly string[]): string | undefined =>
  row
    .names()
    .slice(0, fieldsMax)
    .find((name) => !isReadBy(reads, name) && mayBeFile(valueText(row.get(name))?.trim() ?? ''));

/** Returns the unread fields that hold a structure, such as the blocks of a card: what people saw may be in it. */
export function unreadStructures(row: Row, reads: readonly string[]): readonly string[] {
  const fields: Record<string, unknown> = {};
  for (const name of row.names().slice(0, fieldsMax)) {
    if (isReadBy(reads, name) || name.startsWith('$')) continue;
    const value = row.get(name);
    const [outer] = name.split('.', 1);
    if (outer !== name) fields[outer!] = { ...(fields[outer!] as object), [name]: value };
    else if (typeof value !== 'string' || /^\s*[[{]/.test(value)) fields[name] = value;
  }
  return findUnread(fields);
}
