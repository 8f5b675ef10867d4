import type { ExportInput } from '../../../io/input/export-input.ts';
import type { JsonOptions } from '../../../io/json/json-element.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { invalidEntry, problemEntry } from '../entries.ts';
import { UnreadChatLists } from './chat-rows.ts';
import { replaceRow, unforeseen } from './row-boundary.ts';
import { compareWithRow } from './compare-with-row.ts';
import { type FoundRow, type JsonRowsAt, readJsonRows } from './json-rows.ts';

/** A row that could be read. */
export type GoodRow = Extract<FoundRow, { fault?: never }>;
export type BadRow = Extract<FoundRow, { value?: never }>;

/** Handlers for the rows of a JSON file. */
export interface JsonFile {
  /**
   * Yields what a row is.
   *
   * @returns what has to be waited for, such as a look for a file: waiting for every row would cost as much as reading it.
   */
  add(row: GoodRow, into: Entry[]): Promise<void> | undefined;
  /** Yields the entry for a row that cannot be read; an invalid row by default. */
  addFault?(row: BadRow, into: Entry[]): void;
  /** Returns the entries about the file as a whole. */
  end(): readonly Entry[];
}

/** For `addFault` in a file of messages with other values between its lists: those are no rows. */
export function addInvalidRow({ fault, location }: BadRow, into: Entry[]): void {
  if (fault.scope !== 'no-row') into.push(invalidEntry(fault.code, fault.reason, location));
}

/** The same for a list of people or conversations, in which no message is lost. */
export function addProblemRow({ fault, location }: BadRow, into: Entry[]): void {
  if (fault.scope !== 'no-row') into.push(problemEntry(fault.code, fault.reason, location));
}

/**
 * The entries of a file of JSON rows, a list for each that is read. A row that throws is a fault like one that is no JSON.
 *
 * @throws SourceError if the file cannot be read (any further), after everything before it: what was learnt up to there counts.
 */
export async function* readJsonEntries(
  input: Pick<ExportInput, 'open'>,
  path: string,
  at: JsonRowsAt,
  file: JsonFile,
  options?: JsonOptions,
): AsyncGenerator<readonly Entry[]> {
  const lists = new UnreadChatLists();
  try {
    for await (const rows of readJsonRows(input.open(path), path, at, { unread: lists, ...options })) {
      const into: Entry[] = [];
      for (const row of rows) {
        const begin = into.length;
        try {
          const waiting = row.fault ? addFault(file, row, into) : file.add(row, into);
          if (waiting) await waiting;
          compareWithRow(row.value, row.location, into, begin);
        } catch (error) {
          addUnforeseen(file, row.location, error, { into, begin });
        }
      }
      into.push(...lists.take(path));
      yield into;
    }
  } catch (error) {
    yield file.end();
    throw error;
  }
  yield file.end();
}

function addFault(file: Pick<JsonFile, 'addFault'>, row: BadRow, into: Entry[]): undefined {
  if (file.addFault) file.addFault(row, into);
  else into.push(invalidEntry(row.fault.code, row.fault.reason, row.location));
}

/** Adds the entry for an unreadable row in place of a row that threw. */
export function addUnforeseen(
  file: Pick<JsonFile, 'addFault'>,
  location: Location,
  error: unknown,
  { into, begin }: { readonly into: Entry[]; readonly begin: number },
): void {
  const { code, reason, cause } = unforeseen(error);
  const entries: Entry[] = [];
  addFault(file, { location, fault: { code, reason, scope: 'row' } }, entries);
  for (const entry of entries) replaceRow(into, begin, entry, cause);
}
