import type { Database } from 'better-sqlite3';
import type { UserRecord } from '../../model/records.ts';

/** Two people, or two conversations of which something is sent (needs `collectWriters`), that would become one at the destination. */
export function findCollisions(db: Database): { kind: 'uid' | 'guid'; id: string; sourceIds: string[] }[] {
  const rows = db
    .prepare<[], { kind: 'uid' | 'guid'; id: string; ids: string }>(
      `SELECT 'uid' AS kind, uid AS id, json_group_array(source_id) AS ids FROM person GROUP BY uid HAVING count(*) > 1
       UNION ALL
       SELECT 'guid', guid, json_group_array(source_id) FROM conversation
       WHERE receiver_type = 'group' AND id IN (SELECT conversation FROM temp.writer) GROUP BY guid HAVING count(*) > 1`,
    )
    .all();
  return rows.map(({ kind, id, ids }) => ({ kind, id, sourceIds: JSON.parse(ids) as string[] }));
}

export interface PersonBehind {
  readonly id: number;
  readonly uid: string;
  readonly sourceId: string;
}

/**
 * Finds people whose uid belongs to another person who comes before them. The order is: people whose uid cannot change
 * (`isBound`), people who have had it in a plan, people whom the export describes, and the first id in the alphabet, so
 * that the order of reading decides nothing.
 *
 * @returns Those whose uid may still get a hash, by id in the store and in the export.
 */
export function peopleBehindOthers(db: Database, isBound: (user: UserRecord) => boolean): PersonBehind[] {
  const shared = db.prepare<[], { id: number; uid: string; record: string; hasHash: number | null }>(
    `SELECT id, uid, record, has_hash AS hasHash FROM person
     WHERE uid IN (SELECT uid FROM person GROUP BY uid HAVING count(*) > 1)
     ORDER BY uid, has_hash IS NULL, has_hash DESC, is_placeholder, source_id`,
  );
  const behind: PersonBehind[] = [];
  let first: { readonly uid: string; readonly mayChange: PersonBehind | undefined } | undefined;
  for (const { id, uid, record, hasHash } of shared.iterate()) {
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

/** Their uids are these from now on: with a hash. */
export function giveHashes(db: Database, people: readonly Omit<PersonBehind, 'sourceId'>[]): void {
  const give = db.prepare(
    `UPDATE person SET uid = @uid, details = json_set(details, '$.uid', @uid), has_hash = 1 WHERE id = @id`,
  );
  for (const { id, uid } of people) give.run({ id, uid });
}

/** Ids at the source of those whose uids have a hash. */
export function peopleWithHashes(db: Database): ReadonlySet<string> {
  const records = db.prepare<[], string>('SELECT record FROM person WHERE has_hash = 1').pluck();
  return new Set(records.all().map((record) => (JSON.parse(record) as UserRecord).id));
}

/** Everybody keeps the uid that they have now. */
export function resolveUidCollisions(db: Database): void {
  db.exec('UPDATE person SET has_hash = 0 WHERE has_hash IS NULL');
}
