import { openStoreToRead, type Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import { chosenId } from '../../mapping/ids.ts';
import type { Mapping } from '../../mapping/load.ts';
import { tableKey } from '../../mapping/person.ts';
import type { Rules } from '../../mapping/rules.ts';
import { checkOutput, writeOutput } from '../../io/output.ts';
import {
  type PlannedPerson,
  plannedPeople,
  isNameable,
  type PeopleRow,
  unmatchedRow,
  csvHeader,
  peopleLine,
} from '../../report/report-files.ts';
import type { PeopleRequest } from '../requests.ts';
import type { WrittenPeople } from '../results.ts';

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

function* peopleCsv(rows: Iterable<PeopleRow>): Generator<string> {
  yield csvHeader;
  for (const row of rows) yield peopleLine(row);
}
