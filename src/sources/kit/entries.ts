import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { ChatRecord, MessageRecord } from '../../model/records.ts';
import { findHidingMark } from './hiding-mark.ts';
import { describe, isNoText, wordFor } from './narrow.ts';

/**
 * Entries of a reader: creating them, and passing them on in lists. A piece of an export that cannot be used is data:
 * it is yielded in order with a code, a reason and its location, and reading continues.
 *
 * yield recordEntry(user, location); yield invalidEntry('bad-time', `Expected "date", found ${describe(row.date)}`,
 * location, conversation.id);
 */

/** Why something could not be read, or what a person should know of it. The code is explained in the source's `codes.ts`. */
export interface RowProblem {
  /** Lower-case words joined by hyphens. */
  readonly code: string;
  /** One sentence without a period: the action that failed or what was expected, then what was found. */
  readonly reason: string;
}

/**
 * A message whose text is an object, a list or a number: sent without it, it would be an empty message.
 *
 * @param key Name of the field. @returns undefined if it is a text, or missing.
 */
export const textProblem = (key: string, value: unknown): RowProblem | undefined =>
  isNoText(value)
    ? { code: 'text-not-understood', reason: `Expected "${key}" to be a text, found ${wordFor(value)}` }
    : undefined;

/** A field that is missing or has a wrong value. @param wanted Its name in quotes, and more if that is not all: `"date" in seconds`. */
export const fieldProblem = (code: string, wanted: string, found: unknown): RowProblem => ({
  code,
  reason: `Expected ${wanted}, found ${describe(found)}`,
});

/** Keeps the name of a mark that hides the message, in data of its app that is not kept. @param name Of the data, if it is one field. */
export function noteHidingMark(record: NewMessage, data: unknown, name?: string): void {
  if (data === undefined || data === null || data === false || record.internal !== undefined) return;
  const hiddenBy = findHidingMark(name === undefined ? data : { [name]: data });
  if (hiddenBy !== undefined) record.custom = { ...record.custom, hiddenBy };
}

/** A message that a mark in the data of its app hides becomes a restricted one. */
export function recordEntry(record: ChatRecord, location: Location): Extract<Entry, { type: 'record' }> {
  if (record.kind === 'message' && record.custom && record.internal === undefined) {
    if (!record.custom.hiddenBy) noteHidingMark(record, record.custom);
    if (record.custom.hiddenBy) record.internal = 'restricted';
  }
  return { type: 'record', record, location };
}

/** @param assumed What its time leaves open, where anything is. */
export const messageEntry = (record: MessageRecord, location: Location, assumed: string | undefined): Entry =>
  assumed === 'utc' ? { ...recordEntry(record, location), isZoneAssumed: true } : recordEntry(record, location);

/**
 * Returns an invalid row: one row of the timeline that does not become a message. It counts in "read". For a person or
 * a file use `problemEntry`.
 *
 * @param conversation Id, if known: then the report shows whose message is missing.
 */
export const invalidEntry = (code: string, reason: string, location: Location, conversation?: string): Entry =>
  conversation === undefined
    ? { type: 'invalid', code, reason, location }
    : { type: 'invalid', code, reason, location, conversation };

/** The message that a row became, or the invalid row that says why there is none. */
export const readEntry = (read: MessageRecord | RowProblem, location: Location, conversation?: string): Entry =>
  'code' in read ? invalidEntry(read.code, read.reason, location, conversation) : recordEntry(read, location);

/** Location of a part of a row. @param pointer From the row: `/comments/3`. */
export const locationInside = (location: Location, pointer: string): Location => ({
  ...location,
  pointer: `${location.pointer ?? ''}${pointer}`,
});

/**
 * Anything else that a person should know. Outside the sum.
 *
 * @param about For a decision about people or conversations: their ids. Without them nobody can count what depends on it.
 */
export const problemEntry = (code: string, reason: string, location: Location, about?: readonly string[]): Entry => ({
  type: 'problem',
  code,
  reason,
  location,
  ...(about && { about }),
});

/** A decision about people, or conversations, that may be one. */
export const alikeEntry = (code: string, ids: readonly string[], location: Location): Entry =>
  problemEntry(code, ids.map((id) => JSON.stringify(id)).join(', '), location, ids);

/** Something that an export says itself is missing from it. `reason`: its words, and how many where it says so. */
export const partialEntry = (reason: string, location: Location, count = 1): Entry => ({
  type: 'problem',
  code: 'export-is-partial',
  reason,
  location,
  ...(count > 1 && { count }),
});

/** Entries that a list holds before it is handed on: memory for some hundred messages. */
export const entriesPerList = 100;

/** Characters of texts that it holds: a text may have millions. */
const textPerList = 256 * 1024;

/** Whether a list holds as much as one should. It is gone through: ask now and then, not for every row. */
export const isFullList = (entries: readonly Entry[]): boolean =>
  entries.length >= entriesPerList || textIn(entries) >= textPerList;

const textIn = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + entrySize(entry), 0);

const entrySize = (entry: Entry): number =>
  entry.type === 'record' && entry.record.kind === 'message' ? entry.record.text.length : 0;

/** Entries one by one become the lists that a source yields: a step of an asynchronous loop costs as much as reading a row. */
export async function* inLists(entries: Iterable<Entry> | AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let list: Entry[] = [];
  let text = 0;
  for await (const entry of entries) {
    text += entrySize(entry);
    if (list.push(entry) < entriesPerList && text < textPerList) continue;
    yield list;
    list = [];
    text = 0;
  }
  if (list.length > 0) yield list;
}

/** Joins short lists into full ones: an export may have a hundred thousand files of a few rows each. */
export async function* fillLists(
  lists: AsyncIterable<readonly Entry[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  let held: Entry[] = [];
  let text = 0;
  for await (const list of lists) {
    for (const entry of list) held.push(entry);
    text += textIn(list);
    if (held.length < entriesPerList && text < textPerList) continue;
    yield held;
    signal.throwIfAborted();
    held = [];
    text = 0;
  }
  if (held.length > 0) yield held;
  signal.throwIfAborted();
}
