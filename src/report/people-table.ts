import type { UserRecord } from '../model/records.ts';
import type { Store } from '../store/open.ts';
import { addUpMessages } from './tally.ts';
import type { LookupRule } from '../mapping/rules.ts';
import { markedText } from '../lib/text/spreadsheet-text.ts';
import { quotedCell, byteOrderMark, csvLine, csvCell } from './report-files.ts';

/** A person of the latest plan. */
export interface PlannedPerson {
  /** In the store: people are numbered in the order in which the plan met them. */
  readonly number: number;
  readonly record: UserRecord;
  /** The uid that the plan gave. */
  readonly now: string;
  /** A hash was appended to it, because others have the same uid. */
  readonly hasHash: boolean;
  /** Planned messages. */
  readonly messages: number;
}

/** Yields everyone in the latest plan. Counts their messages first: one pass over all of them, if nothing has counted them yet. */
export function* plannedPeople(store: Store): Generator<PlannedPerson> {
  const { authors } = addUpMessages(store, store.destinations.latest()?.id ?? null);
  for (const { id, uid, record, hasHash } of store.totals.eachPerson())
    yield { number: id, record, now: uid, hasHash, messages: authors.of(id) };
}

/** Whether a table of uids can name someone: it takes ids without blanks around them. */
export const isNameable = (id: string): boolean => id.trim() === id && id.isWellFormed();

/** A row of a table of uids. */
export interface PeopleRow {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly email: string;
  /** Planned messages. */
  readonly messages: number;
  /** In the present table; empty if it has none. */
  readonly uid: string;
  /** The uid that the latest plan gave. */
  readonly now: string;
}

const wordColumns = ['name', 'handle', 'email', 'messages'] as const;
const columns = ['id', ...wordColumns, 'uid', 'now'];
const emptyRow: PeopleRow = { id: '', name: '', handle: '', email: '', messages: 0, uid: '', now: '' };

/** A row for someone who is not in the plan. */
export const unmatchedRow = (by: LookupRule['by'], key: string, uid: string): PeopleRow => ({
  ...emptyRow,
  [by]: key,
  uid,
});

const exactCell = (text: string): string => quotedCell(markedText(text));

/** The first line of a table of uids. */
export const csvHeader = byteOrderMark + csvLine(columns);

/** A row as a line. A program reads ids and uids again, so they have to be exact. */
export const peopleLine = (row: PeopleRow): string =>
  `${[exactCell(row.id), ...wordColumns.map((key) => csvCell(row[key])), exactCell(row.uid), csvCell(row.now)].join(',')}\r\n`;
