import { concernsRun } from '../../../lib/errors.ts';
import type { Location } from '../../../lib/text/location.ts';
import { type Entry, isTimelineRow } from '../../../model/entry.ts';
import { problemEntry, invalidEntry, locationInside, type RowProblem } from '../entries.ts';

/**
 * One bad row must not stop a migration: whatever reading it throws makes it an invalid row with its place, and the next row is
 * read. `readJsonEntries`, `readTextRows` and the reader of tables do this for every row that they hand on; a loop of a
 * source's own over a list inside of a row is `readInside`. Any other does it by hand:
 *
 *     const begin = into.length;
 *     try {
 *       add(value, location, into);
 *     } catch (error) {
 *       invalidRow(error, { into, begin, location });
 *     }
 */

/** A row that threw, as a reason for people; the error itself is for the log. */
export interface UnforeseenProblem extends RowProblem {
  readonly cause: unknown;
}

/** Location of a row that threw. */
interface ThrownRow {
  readonly into: Entry[];
  /** Length of `into` before the row. */
  readonly begin: number;
  readonly location: Location;
  /** Id, if known. */
  readonly conversation?: string | undefined;
}

/** @throws `error` itself, if it concerns the whole run: an abort, a disk, memory. */
export function unforeseen(error: unknown): UnforeseenProblem {
  if (concernsRun(error)) throw error;
  const kind = error instanceof Error ? error.name : typeof error;
  const reason = `Cannot read this row: a value in it is not of the kind that the format has there (${kind})`;
  return { code: 'row-not-understood', reason, cause: error };
}

/** An invalid row in the place of one that threw. */
export function invalidRow(error: unknown, { into, begin, location, conversation }: ThrownRow): void {
  const problem = unforeseen(error);
  replaceRow(into, begin, invalidEntry(problem.code, problem.reason, location, conversation), problem.cause);
}

/** The same for an element of a list of people or conversations: it is named and left out. */
export function leaveOutRow(error: unknown, { into, begin, location }: ThrownRow): void {
  const problem = unforeseen(error);
  replaceRow(into, begin, problemEntry(problem.code, problem.reason, location), problem.cause);
}

/** A list inside of a row. */
export interface Inside {
  readonly into: Entry[];
  /** Of the row. */
  readonly location: Location;
  /** Pointer of the list from the row: `/comments`. */
  readonly under: string;
  /** Id, if known. */
  readonly conversation?: string | undefined;
}

/** Reads the elements of a list inside of a row. @param isList Of people or conversations: one that throws is left out. */
export function readInside<Value>(
  values: readonly Value[],
  { into, location: row, under, conversation, isList = false }: Inside & { readonly isList?: boolean },
  read: (value: Value, at: Location, index: number) => void,
): void {
  for (const [index, value] of values.entries()) {
    const location = locationInside(row, `${under}/${index}`);
    const begin = into.length;
    try {
      read(value, location, index);
    } catch (error) {
      (isList ? leaveOutRow : invalidRow)(error, { into, begin, location, conversation });
    }
  }
}

/**
 * Takes back the messages that a row yielded before it threw. People and conversations that it described stay: later rows rely on
 * them, and nothing describes them again.
 */
export function replaceRow(into: Entry[], begin: number, entry: Entry, cause: unknown): void {
  const said = into.splice(begin);
  for (const before of said) if (!isTimelineRow(before)) into.push(before);
  into.push(withCause(entry, cause));
}

export const withCause = (entry: Entry, cause: unknown): Entry =>
  entry.type === 'invalid' || entry.type === 'problem' ? { ...entry, cause } : entry;
