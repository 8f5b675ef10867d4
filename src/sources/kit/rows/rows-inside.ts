import { escapePart } from '../../../io/json/json-pointer.ts';
import type { Entry } from '../../../model/entry.ts';
import { invalidEntry } from '../entries.ts';
import { isOfChat, reasonForPlace } from './chat-rows.ts';
import type { GoodRow } from './json-entries.ts';

/**
 * Adds an invalid row for each message in a list inside of a row of another kind, where nothing reads it: a program that saved answers may
 * have put the messages of a conversation into it. An object in a field, such as the last message of a conversation, is a part of the row.
 *
 * @param isMessage Whether the keys of an object are those of a message.
 */
export function addUnreadInside(
  { value, location }: GoodRow,
  isMessage: (has: (key: string) => boolean) => boolean,
  into: Entry[],
): void {
  for (const inside of messagesInside(value, isMessage)) {
    const pointer = (location.pointer ?? '') + inside;
    into.push(invalidEntry('not-an-object', reasonForPlace(pointer), { ...location, pointer }));
  }
}

/** Adds an invalid row for one in a list that nothing reads, if it looks like a message. @returns whether it does. */
export function addUnreadRow({ value, location }: GoodRow, into: Entry[]): boolean {
  if (!isObject(value) || !isOfChat(Object.keys(value))) return false;
  into.push(invalidEntry('not-an-object', reasonForPlace(location.pointer ?? ''), location));
  return true;
}

/** Pointers from the outer row: `/messages/0`. */
function* messagesInside(
  value: unknown,
  isMessage: (has: (key: string) => boolean) => boolean,
  pointer = '',
): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const at = `${pointer}/${escapePart(key)}`;
    if (isList && isObject(inner) && isMessage((name) => name in inner)) yield at;
    else yield* messagesInside(inner, isMessage, at);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
