import { concernsRun } from '../../../lib/errors.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { problemEntry, invalidEntry, type RowProblem } from '../entries.ts';

/**
 * One bad row must not stop a migration: whatever reading it throws makes it an invalid row with its place, and the next row is
 * read. `readJsonEntries`, `readTextRows` and the reader of tables do this for every row that they hand on; a loop of a
 * source's own does it by hand:
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

/**
 * Takes back the messages that a row yielded before it threw. People and conversations that it described stay: later rows rely on
 * them, and nothing describes them again.
 */
export function replaceRow(into: Entry[], begin: number, entry: Entry, cause: unknown): void {
  const said = into.splice(begin);
  for (const before of said) if (!isOfTimeline(before)) into.push(before);
  into.push(withCause(entry, cause));
}

const isOfTimeline = (entry: Entry): boolean =>
  entry.type === 'invalid' || (entry.type === 'record' && entry.record.kind === 'message');

export const withCause = (entry: Entry, cause: unknown): Entry =>
  entry.type === 'invalid' || entry.type === 'problem' ? { ...entry, cause } : entry;
