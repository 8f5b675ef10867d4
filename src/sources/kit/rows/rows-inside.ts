import { escapePart } from '../../../io/json/json-pointer.ts';
import type { Entry } from '../../../model/entry.ts';
import { invalidEntry } from '../entries.ts';
import type { GoodRow } from './json-entries.ts';

/** An object in a list that is inside of another row. */
export interface RowInside {
  readonly row: Readonly<Record<string, unknown>>;
  /** From the outer row: `/messages/0`. */
  readonly pointer: string;
}

/**
 * Finds rows in lists that are inside of a row of another kind: a program that saved answers may have put the messages of a conversation
 * into it. An object in a field, such as the last message of a conversation, is a part of the row.
 *
 * @param isRow Whether the keys of an object are those of a row.
 */
export function* rowsInside(
  value: unknown,
  isRow: (has: (key: string) => boolean) => boolean,
  pointer = '',
): Generator<RowInside> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const at = `${pointer}/${escapePart(key)}`;
    if (isList && isObject(inner) && isRow((name) => name in inner)) yield { row: inner, pointer: at };
    else yield* rowsInside(inner, isRow, at);
  }
}

/** Adds an invalid row for each message inside of what is no message, where nothing reads it. */
export function addUnreadInside(
  { value, location }: GoodRow,
  isMessage: (has: (key: string) => boolean) => boolean,
  into: Entry[],
): void {
  for (const { pointer } of rowsInside(value, isMessage)) {
    const place = { ...location, pointer: (location.pointer ?? '') + pointer };
    into.push(invalidEntry('not-an-object', reasonForPlace(place.pointer), place));
  }
}

/** Why messages at a place are invalid rows. */
export const reasonForPlace = (pointer: string): string =>
  `Expected messages in one list, or one on each line; those at "${pointer.slice(0, 100)}" are in another`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
