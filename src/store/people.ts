import { IdCounts } from '../lib/maps/id-counts.ts';
import { storedId } from '../lib/text/stored-id.ts';
import type { UserRecord } from '../model/records.ts';
import type { StagedPerson } from '../model/staged-item.ts';
import { inPages } from './base/pages.ts';
import { SpilledMap } from './base/spilled-map.ts';
import { lateStatements, sql, tuple, value, withStatements } from './base/statements.ts';

/** A person as messages carry them. */
interface Sender {
  readonly id: number;
  readonly uid: string;
  /** JSON in the service's shape. */
  readonly details: string;
}

/** Everything by which a person may be called in a filter. */
interface PersonNames {
  readonly sourceId: string;
  readonly uid: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly email: string | null;
}

interface PersonBehind {
  readonly id: number;
  readonly uid: string;
  readonly sourceId: string;
}

/** Two people, or two conversations, that would become one. */
export interface Collision {
  readonly kind: 'uid' | 'guid';
  readonly id: string;
  readonly sourceIds: readonly string[];
}

/** As the person is shown, and what tells where the name comes from. */
type PersonFacts = readonly [
  id: number,
  sourceId: string,
  name: string,
  email: string | null,
  handle: string | null,
  isBot: 0 | 1 | null,
  isPlaceholder: 0 | 1,
];

const names = `source_id AS sourceId, uid, record ->> '$.name' AS name, record ->> '$.handle' AS handle, record ->> '$.email' AS email`;

/** Every row that names a person of the store. */
const named = `SELECT sender FROM message WHERE sender IS NOT NULL
  UNION ALL SELECT p.value FROM message m, json_each(m.reactions) r, json_each(r.value, '$[1]') p WHERE m.reactions IS NOT NULL
  UNION ALL SELECT person_a FROM conversation WHERE person_a IS NOT NULL
  UNION ALL SELECT person_b FROM conversation WHERE person_b IS NOT NULL
  UNION ALL SELECT from_person FROM relation UNION ALL SELECT to_person FROM relation
  UNION ALL SELECT person FROM action UNION ALL SELECT other FROM action
  UNION ALL SELECT person FROM person_delivery UNION ALL SELECT person FROM person_before
  UNION ALL SELECT subject FROM undo_call WHERE kind IN ('person', 'deactivation')`;

type StoredPerson = Omit<StagedPerson, 'isPlaceholder'> & { readonly isPlaceholder: number };

const statements = lateStatements({
  // Like conversations: an update in the same statement would cost three times as much.
  add: sql<StoredPerson>`
    INSERT INTO person (source_id, uid, name, details, record, is_placeholder)
    VALUES (@sourceId, @uid, @name, @details, @record, @isPlaceholder) ON CONFLICT (source_id) DO NOTHING`,
  describe: sql<StoredPerson>`
    UPDATE person SET uid = @uid, name = @name, details = @details, record = @record, is_placeholder = @isPlaceholder
    WHERE source_id = @sourceId AND (@isPlaceholder = 0 OR (is_placeholder = 1 AND @name <> source_id
      AND (name = source_id OR @name < name)))`,
  id: value<[sourceId: string], number>`SELECT id FROM person WHERE source_id = ?`,
  find: tuple<[sourceId: string], [id: number, record: string]>`SELECT id, record FROM person WHERE source_id = ?`,
  get: sql<[id: number], Sender>`SELECT id, uid, details FROM person WHERE id = ?`,
  ids: value<[], number>`SELECT id FROM person`,
  nameOfUid: value<[uid: string], string | null>`SELECT record ->> '$.name' FROM person WHERE uid = ?`,
  names: sql<[id: number], PersonNames>`SELECT ${names} FROM person WHERE id = ?`,
  each: tuple<[], PersonFacts>`
    SELECT id, source_id, name, record ->> '$.email', record ->> '$.handle', record ->> '$.isBot', is_placeholder FROM person`,
  allNames: sql<[], PersonNames>`SELECT ${names} FROM person`,
  forget: sql<[ids: string]>`DELETE FROM person WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (${named})`,
  collisions: sql<[], { kind: 'uid' | 'guid'; id: string; ids: string }>`
    SELECT 'uid' AS kind, uid AS id, json_group_array(source_id) AS ids FROM person GROUP BY uid HAVING count(*) > 1
    UNION ALL
    SELECT 'guid', guid, json_group_array(source_id) FROM conversation
    WHERE receiver_type = 'group' AND id IN (SELECT conversation FROM temp.writer) GROUP BY guid HAVING count(*) > 1`,
  sharingUids: sql<[], { id: number; uid: string; record: string; hasHash: number | null }>`
    SELECT id, uid, record, has_hash AS hasHash FROM person
    WHERE uid IN (SELECT uid FROM person GROUP BY uid HAVING count(*) > 1)
    ORDER BY uid, has_hash IS NULL, has_hash DESC, is_placeholder, source_id`,
  giveHash: sql<{ id: number; uid: string }>`
    UPDATE person SET uid = @uid, details = json_set(details, '$.uid', @uid), has_hash = 1 WHERE id = @id`,
  recordsWithHash: value<[], string>`SELECT record FROM person WHERE has_hash = 1`,
  keepUids: sql<[]>`UPDATE person SET has_hash = 0 WHERE has_hash IS NULL`,
  known: value<[destination: number], number>`SELECT person FROM person_delivery WHERE destination = ?`,
  unasked: sql<{ destination: number; after: number }, { id: number; uid: string }>`
    SELECT id, uid FROM person p WHERE id > @after
      AND NOT EXISTS (SELECT 1 FROM person_delivery d WHERE d.destination = @destination AND d.person = p.id)
      AND NOT EXISTS (SELECT 1 FROM person_before b WHERE b.destination = @destination AND b.person = p.id)
    ORDER BY id LIMIT 500`,
  noteBefore: sql<[destination: number, person: number, existed: number]>`
    INSERT OR IGNORE INTO person_before (destination, person, existed) VALUES (?, ?, ?)`,
  forgetAt: sql<[destination: number, person: number]>`
    DELETE FROM person_delivery WHERE destination = ? AND person = ?`,
  forgetArrival: sql<[destination: number, person: number]>`
    DELETE FROM arrival_delivery WHERE destination = ? AND arrival IN
      (SELECT id FROM arrival WHERE kind = 'people' AND conversation = 0 AND person = ?)`,
  noteDeactivated: sql<[destination: number, person: number]>`
    UPDATE person_before SET deactivated = 1 WHERE destination = ? AND person = ?`,
});

/** People as an export describes them, and as destinations know them. */
export class People extends withStatements(statements) {
  /**
   * A description from a file wins over a placeholder; of two names that messages give a placeholder the first in the alphabet, whatever
   * the order of reading.
   *
   * @returns The id in the store.
   */
  save({ isPlaceholder, ...person }: StagedPerson): number {
    const sourceId = storedId(person.sourceId);
    const name = person.name === person.sourceId ? sourceId : person.name;
    const row = { ...person, sourceId, name, isPlaceholder: isPlaceholder ? 1 : 0 };
    const { changes, lastInsertRowid } = this.sql.add.run(row);
    if (changes > 0) return Number(lastInsertRowid);
    this.sql.describe.run(row);
    return this.sql.id.get(sourceId)!;
  }

  id(sourceId: string): number | undefined {
    return this.sql.id.get(storedId(sourceId));
  }

  /** A person as an earlier plan stored them. */
  find(sourceId: string): { readonly id: number; readonly record: UserRecord } | undefined {
    const row = this.sql.find.get(storedId(sourceId));
    return row && { id: row[0], record: JSON.parse(row[1]) as UserRecord };
  }

  /** @param id Of a person that is in the store. */
  get(id: number): Sender {
    return this.sql.get.get(id)!;
  }

  /** For a plan: what it knows of people, by their ids at the source. */
  openSpilledMap<Value>(): SpilledMap<Value> {
    return new SpilledMap(this.db, 'people');
  }

  /** Of everybody. The database is busy until the iteration ends. */
  ids(): Iterable<number> {
    return this.sql.ids.iterate();
  }

  /** The name that the export gives a person. */
  nameOfUid(uid: string): string | undefined {
    return this.sql.nameOfUid.get(uid) ?? undefined;
  }

  names(id: number): PersonNames | undefined {
    return this.sql.names.get(id);
  }

  allNames(): Iterable<PersonNames> {
    return this.sql.allNames.iterate();
  }

  each(): Iterable<PersonFacts> {
    return this.sql.each.iterate();
  }

  /**
   * After everything was read again: people whom nothing names any more leave the store. One with a row, or about whom a destination
   * was asked, stays. Goes through the messages once, but only if somebody was not seen.
   */
  forgetUnseen(seen: Pick<ReadonlySet<number>, 'has'>): void {
    const unseen = Array.from(Iterator.from(this.ids()).filter((id) => !seen.has(id)));
    if (unseen.length > 0) this.sql.forget.run(JSON.stringify(unseen));
  }

  /** Two people, or two conversations of which something is sent (needs `collectWriters`), that would become one at the destination. */
  collisions(): Collision[] {
    const rows = this.sql.collisions.all();
    return rows.map(({ kind, id, ids }) => ({ kind, id, sourceIds: JSON.parse(ids) as string[] }));
  }

  /**
   * Finds people whose uid belongs to another person who comes before them. The order is: people whose uid cannot change
   * (`isBound`), people who have had it in a plan, people whom the export describes, and the first id in the alphabet, so
   * that the order of reading decides nothing.
   *
   * @returns Those whose uid may still get a hash, by id in the store and in the export.
   */
  behindOthers(isBound: (user: UserRecord) => boolean): PersonBehind[] {
    const behind: PersonBehind[] = [];
    let first: { readonly uid: string; readonly mayChange: PersonBehind | undefined } | undefined;
    for (const { id, uid, record, hasHash } of this.sql.sharingUids.iterate()) {
      const user = JSON.parse(record) as UserRecord;
      const mayChange = hasHash === 1 || isBound(user) ? undefined : { id, uid, sourceId: user.id };
      if (first?.uid !== uid) first = { uid, mayChange };
      else if (mayChange) behind.push(mayChange);
      else if (first.mayChange) {
        behind.push(first.mayChange);
        first = { uid, mayChange };
      }
    }
    return behind;
  }

  /** @param uid With a hash: the person's from now on. */
  giveHash(id: number, uid: string): void {
    this.sql.giveHash.run({ id, uid });
  }

  /** Ids at the source of those whose uids have a hash. */
  withHashes(): ReadonlySet<string> {
    return new Set(this.sql.recordsWithHash.all().map((record) => (JSON.parse(record) as UserRecord).id));
  }

  /** Everybody keeps the uid that they have now. */
  keepUids(): void {
    this.sql.keepUids.run();
  }

  /** People whose details a receipt has shown to be at a destination. */
  knownAt(destination: number): IdCounts {
    const known = new IdCounts();
    for (const person of this.sql.known.iterate(destination)) known.add(person);
    return known;
  }

  /** People whose details no receipt has shown at a destination and who were not looked up there. */
  unaskedAt(destination: number): Iterable<{ readonly id: number; readonly uid: string }> {
    return inPages('id', (after) => this.sql.unasked.all({ destination, after }));
  }

  /** Records whether a destination had a person before the first message. The first record is kept. */
  noteBefore(destination: number, person: number, existed: boolean): void {
    this.sql.noteBefore.run(destination, person, existed ? 1 : 0);
  }

  /** An undo has deactivated a person: the next import activates them, and their details travel again with a message. */
  forgetAt(destination: number, person: number): void {
    this.sql.forgetAt.run(destination, person);
    this.sql.forgetArrival.run(destination, person);
    this.sql.noteDeactivated.run(destination, person);
  }
}
