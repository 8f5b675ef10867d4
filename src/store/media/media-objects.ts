import type { Database } from 'better-sqlite3';

/** The object that is stored, or will be stored, at a location under a key. */
export interface MediaObject {
  readonly location: string;
  readonly key: string;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** At which people open it. */
  readonly address: string;
}

export interface StoredObject extends MediaObject {
  readonly id: number;
  readonly state: 'intended' | 'stored' | 'removed';
  /** 0: it was there before Chatferry wrote anything under that key. */
  readonly isOurs: number;
  /** JSON: what is known of a picture. */
  readonly facts: string | null;
}

const columns = `id, location, key, sha256, size_bytes AS sizeBytes, content_type AS contentType, address, state, is_ours AS isOurs, facts`;

/** What was stored. An intent is committed before its first byte leaves: what has none was never written by us. */
export function mediaObjects(db: Database) {
  const find = db.prepare<[string, string], StoredObject>(
    `SELECT ${columns} FROM media_object WHERE location = ? AND key = ?`,
  );
  const intend = db
    .prepare<[MediaObject & { isOurs: number; state: string; storedAt: number | null }], number>(
      `INSERT INTO media_object (location, key, sha256, size_bytes, content_type, address, state, is_ours, stored_at)
     VALUES (@location, @key, @sha256, @sizeBytes, @contentType, @address, @state, @isOurs, @storedAt)
     ON CONFLICT (location, key) DO UPDATE SET sha256 = excluded.sha256, size_bytes = excluded.size_bytes, content_type = excluded.content_type,
       address = excluded.address, state = excluded.state, stored_at = excluded.stored_at, fault = NULL,
       is_ours = CASE WHEN state = 'removed' THEN excluded.is_ours ELSE is_ours END RETURNING id`,
    )
    .pluck();
  const store = db.prepare(
    `UPDATE media_object SET state = 'stored', stored_at = ?, facts = ?, fault = NULL WHERE id = ?`,
  );
  const address = db.prepare('UPDATE media_object SET address = ? WHERE id = ?');
  return {
    find: (location: string, key: string): StoredObject | undefined => find.get(location, key),
    /** Before its first byte leaves. @returns Its id. */
    intend: (object: MediaObject): number => intend.get({ ...object, state: 'intended', isOurs: 1, storedAt: null })!,
    /** Records an object that was already there, with this length and digest. @returns Its id. */
    found: (object: MediaObject, nowMs: number): number =>
      intend.get({ ...object, state: 'stored', isOurs: 0, storedAt: nowMs })!,
    stored: (id: number, facts: string | null, nowMs: number): void => void store.run(nowMs, facts, id),
    /** People open it elsewhere by now. */
    moved: (id: number, to: string): void => void address.run(to, id),
  };
}

/** Yields objects that are known to be stored at a location, by id. */
export const storedObjects = (db: Database, location: string): Generator<StoredObject> =>
  objectsWhere(db, location, `state = 'stored'`);

/** Objects that we wrote, or were about to write, and did not remove. */
export const ourObjects = (db: Database, location: string): Generator<StoredObject> => objectsWhere(db, location, ours);

const ours = `is_ours = 1 AND state <> 'removed'`;

function* objectsWhere(db: Database, location: string, isWanted: string): Generator<StoredObject> {
  const next = db.prepare<[string, number], StoredObject>(
    `SELECT ${columns} FROM media_object WHERE location = ? AND ${isWanted} AND id > ? ORDER BY id LIMIT 200`,
  );
  for (let after = 0; ; ) {
    const page = next.all(location, after);
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.id;
  }
}

/** Records the results of later checks of objects. */
export function objectChecks(db: Database) {
  const checked = db.prepare('UPDATE media_object SET fault = ?, checked_at = ? WHERE id = ?');
  const removed = db.prepare(`UPDATE media_object SET state = 'removed' WHERE id = ?`);
  const count = db.prepare<[string], number>(
    `SELECT count(*) FROM media_object WHERE location = ? AND state = 'stored'`,
  );
  const sums = db.prepare<[string], { files: number; bytes: number; others: number }>(
    `SELECT coalesce(sum(${ours}), 0) AS files, coalesce(sum(CASE WHEN ${ours} THEN size_bytes END), 0) AS bytes,
       coalesce(sum(is_ours = 0 AND state = 'stored'), 0) AS others FROM media_object WHERE location = ?`,
  );
  const messages = db
    .prepare<[string], number>(
      `SELECT count(DISTINCT u.message) FROM media_object o JOIN media_file f ON f.object = o.id JOIN media_use u ON u.file = f.id
       WHERE o.location = ? AND o.is_ours = 1 AND o.state <> 'removed' AND EXISTS (SELECT 1 FROM destination t
         CROSS JOIN delivery d ON d.destination = t.id AND d.message = u.message WHERE d.state NOT IN ('pending', 'failed'))`,
    )
    .pluck();
  return {
    checked: (id: number, fault: string | null, nowMs: number): void => void checked.run(fault, nowMs, id),
    removed: (id: number): void => void removed.run(id),
    count: (location: string): number => count.pluck().get(location)!,
    /**
     * Counts the objects of a location that may be deleted, those that were there before, and the messages at
     * destinations that have those files.
     */
    removable: (location: string) => ({ ...sums.get(location)!, messages: messages.get(location)! }),
  };
}
