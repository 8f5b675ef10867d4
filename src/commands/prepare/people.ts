import { openStoreToRead, type Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import { markedText } from '../../lib/text/spreadsheet-text.ts';
import { chosenId } from '../../mapping/ids.ts';
import type { Mapping } from '../../mapping/load.ts';
import { tableKey } from '../../mapping/person.ts';
import type { Rules, LookupRule } from '../../mapping/rules.ts';
import type { UserRecord } from '../../model/records.ts';
import { addUpMessages } from '../../report/tally.ts';
import { byteOrderMark, csvCell, csvLine, quotedCell } from '../../report/report-files.ts';
import { checkOutput, type OutputTarget, type Written, writeOutput } from '../output.ts';

export interface PeopleRequest {
  readonly store: string;
  /** The mapping of the plan: its table of uids goes into the new one. */
  readonly mapping: Mapping;
  readonly to: OutputTarget;
}

/** Counts of people in the written table, by what decided their uid. */
export interface WrittenPeople extends Written {
  readonly byTemplate: number;
  readonly byTable: number;
  readonly byHand: number;
  /** People whom the table cannot name, and who are not in it: their ids begin or end with blanks, or are damaged. */
  readonly leftOut: number;
  /** Rows of the present table that match no one in the plan. They are kept. */
  readonly unmatched: number;
}

/**
 * Writes the people of the latest plan as a table of uids that `people.lookup` reads: CSV, a row for each, in the order in which the plan
 * met them. Holds the keys of the present table, about 100 bytes for each, and four bytes for each person.
 *
 * @throws StoreError, UsageError if the file cannot be written, or the plan used a table of uids that `mapping` does not name.
 */
export async function writePeople({ store: path, mapping, to }: PeopleRequest): Promise<WrittenPeople> {
  const store = openStoreToRead(path);
  try {
    assertSameTable(store, mapping);
    checkOutput(to, []);
    const table = new PeopleTable(store, mapping);
    const written = await writeOutput(to, peopleCsv(table.rows()));
    return { ...table.counts, ...written };
  } finally {
    store.close();
  }
}

/** Without its table, the uids in it would be missing from the new one. */
function assertSameTable(store: Store, { lookup }: Mapping): void {
  const { people } = JSON.parse(store.facts.read('rules') ?? '{}') as Partial<Rules>;
  if (lookup !== undefined || people === undefined || people.lookup === 'none') return;
  throw new UsageError(`Cannot list people: the plan took uids from "${people.lookup.file}", which no mapping names`, {
    hint: 'Pass --mapping with the mapping of the plan',
  });
}

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

class PeopleTable {
  readonly counts = { byTemplate: 0, byTable: 0, byHand: 0, leftOut: 0, unmatched: 0 };
  readonly #store: Store;
  readonly #mapping: Mapping;
  /** Rows of the present table whose person was not found so far. */
  readonly #unmatched: Map<string, string>;

  constructor(store: Store, mapping: Mapping) {
    this.#store = store;
    this.#mapping = mapping;
    this.#unmatched = new Map(mapping.lookup?.uids);
  }

  *rows(): Generator<PeopleRow> {
    for (const person of plannedPeople(this.#store)) {
      const row = this.#rowOf(person);
      if (row !== undefined) yield row;
    }
    yield* this.#rest();
  }

  /** Returns undefined for people whom the table cannot name. */
  #rowOf({ record: user, now, messages }: PlannedPerson): PeopleRow | undefined {
    const { rules, lookup } = this.#mapping;
    const key = tableKey(user, rules);
    const uid = key === undefined ? undefined : lookup?.uids.get(key);
    if (key !== undefined) this.#unmatched.delete(key);
    const isByHand = chosenId(rules.people.uids, user.id) !== undefined;
    const { id, name, handle = '', email = '' } = user;
    if (!isNameable(id)) {
      this.counts.leftOut++;
      return undefined;
    }
    this.counts[isByHand ? 'byHand' : uid === undefined ? 'byTemplate' : 'byTable']++;
    return { id, name, handle, email, messages, uid: uid ?? '', now };
  }

  /** Accounts that were merged into others, people of other exports: their uids would be lost if only the plan's people were written. */
  *#rest(): Generator<PeopleRow> {
    const { lookup } = this.#mapping.rules.people;
    if (lookup === 'none') return;
    this.counts.unmatched = this.#unmatched.size;
    for (const [key, uid] of this.#unmatched) yield unmatchedRow(lookup.by, key, uid);
  }
}

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

/** Yields a table of uids as text: CSV with a header, as `people.lookup` reads it. */
function* peopleCsv(rows: Iterable<PeopleRow>): Generator<string> {
  yield csvHeader;
  for (const row of rows) yield peopleLine(row);
}

/** The first line of a table of uids. */
export const csvHeader = byteOrderMark + csvLine(columns);

/** A row as a line. A program reads ids and uids again, so they have to be exact. */
export const peopleLine = (row: PeopleRow): string =>
  `${[exactCell(row.id), ...wordColumns.map((key) => csvCell(row[key])), exactCell(row.uid), csvCell(row.now)].join(',')}\r\n`;

const exactCell = (text: string): string => quotedCell(markedText(text));
