import { anyPart, escapePart, matchPart } from '../../io/json/json-pointer.ts';
import type { UnreadParts } from '../../io/json/unread-lists.ts';
import type { Location } from '../../lib/text/location.ts';
import { type FoundRow, jsonRowFault } from '../kit/rows/json-rows.ts';
import { unwrap } from './unwrap.ts';

/** One document of a file that has one behind another. */
interface FoundDocument {
  readonly value: unknown;
  readonly location: Location;
  /** Gets the lists that no table reads. */
  readonly unread?: UnreadParts | undefined;
}

/** A value on the way to a list. */
interface Step {
  readonly value: unknown;
  /** From the document on, after a `*` for the document itself. */
  readonly path: readonly string[];
  readonly parentKey: string | undefined;
  readonly surroundings: readonly ReadonlyMap<string, unknown>[];
}

/**
 * The rows in the lists that a pattern names inside a document: `/*\/messages` has a `*` for the document. All fields of the objects around a list are known,
 * wherever they are, because the document is in memory.
 */
export function rowsInside(document: FoundDocument, pattern: readonly string[]): readonly FoundRow[] {
  const rows: FoundRow[] = [];
  visit({ value: document.value, path: [anyPart], parentKey: undefined, surroundings: [] }, document, pattern, rows);
  return rows;
}

function visit(
  { value: wrapped, path, parentKey, surroundings }: Step,
  document: FoundDocument,
  pattern: readonly string[],
  into: FoundRow[],
): void {
  const value = unwrap(wrapped);
  if (value === null || value === undefined) return;
  const pointer = path.slice(1).map((part) => `/${escapePart(part)}`);
  const location = { ...document.location, pointer: pointer.join('') };
  if (typeof value !== 'object') {
    const reason = `expected an array or an object, found a ${typeof value}`;
    into.push({ location, fault: jsonRowFault({ code: 'no-list', scope: 'element', reason }) });
    return;
  }
  const isObject = !Array.isArray(value);
  const around = isObject ? [new Map(Object.entries(value)), ...surroundings] : surroundings;
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (path.length === pattern.length) {
      const at = { ...location, pointer: `${location.pointer}/${escapePart(key)}` };
      into.push({ location: at, value: inner, key: isObject ? key : undefined, parentKey, surroundings });
      continue;
    }
    const match = matchPart(pattern[path.length]!, key);
    const inside = {
      value: inner,
      path: [...path, key],
      parentKey: match?.wildcardKey ?? parentKey,
      surroundings: around,
    };
    if (match) visit(inside, document, pattern, into);
    else if (document.unread) countUnread(inside, document.unread);
  }
}

function countUnread({ value, path }: Step, unread: UnreadParts): void {
  if (typeof value !== 'object' || value === null) return;
  const standing = unread.standing(path);
  if (standing === 'around') {
    for (const [key, inner] of Object.entries(value))
      countUnread({ value: inner, path: [...path, key], parentKey: undefined, surroundings: [] }, unread);
  } else if (standing === 'unread') {
    const bytes = Buffer.from(JSON.stringify(value));
    unread.begin(path);
    unread.push(bytes, 0, bytes.length);
    unread.end();
  }
}
