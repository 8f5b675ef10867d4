import { inPages } from '../base/pages.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';

interface MediaObject {
  readonly location: string;
  readonly key: string;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** At which people open it. */
  readonly address: string;
}

interface StoredObject extends MediaObject {
  readonly id: number;
  readonly state: 'intended' | 'stored' | 'removed';
  /** 0: it was there before Chatferry wrote anything under that key. */
  readonly isOurs: number;
  /** JSON: what is known of a picture. */
  readonly facts: string | null;
}

const objectColumns = `id, location, key, sha256, size_bytes AS sizeBytes, content_type AS contentType, address, state, is_ours AS isOurs, facts`;
const isOurs = `is_ours = 1 AND state <> 'removed'`;
const objectsWhere = (isWanted: string) =>
  `SELECT ${objectColumns} FROM media_object WHERE location = ? AND ${isWanted} AND id > ? ORDER BY id LIMIT 200`;

const statements = lateStatements({
  find: sql<[location: string, key: string], StoredObject>`
    SELECT ${objectColumns} FROM media_object WHERE location = ? AND key = ?`,
  save: value<MediaObject & { isOurs: number; state: string; storedAt: number | null }, number>`
    INSERT INTO media_object (location, key, sha256, size_bytes, content_type, address, state, is_ours, stored_at)
    VALUES (@location, @key, @sha256, @sizeBytes, @contentType, @address, @state, @isOurs, @storedAt)
    ON CONFLICT (location, key) DO UPDATE SET sha256 = excluded.sha256, size_bytes = excluded.size_bytes, content_type = excluded.content_type,
      address = excluded.address, state = excluded.state, stored_at = excluded.stored_at, fault = NULL,
      is_ours = CASE WHEN state = 'removed' THEN excluded.is_ours ELSE is_ours END RETURNING id`,
  noteStored: sql<[nowMs: number, facts: string | null, id: number]>`
    UPDATE media_object SET state = 'stored', stored_at = ?, facts = ?, fault = NULL WHERE id = ?`,
  noteMoved: sql<[address: string, id: number]>`UPDATE media_object SET address = ? WHERE id = ?`,
  noteChecked: sql<[fault: string | null, nowMs: number, id: number]>`
    UPDATE media_object SET fault = ?, checked_at = ? WHERE id = ?`,
  noteRemoved: sql<[id: number]>`UPDATE media_object SET state = 'removed' WHERE id = ?`,
  stored: sql<[location: string, after: number], StoredObject>`${objectsWhere(`state = 'stored'`)}`,
  ours: sql<[location: string, after: number], StoredObject>`${objectsWhere(isOurs)}`,
  countStored: value<[location: string], number>`
    SELECT count(*) FROM media_object WHERE location = ? AND state = 'stored'`,
  removable: sql<[location: string], { files: number; bytes: number; others: number }>`
    SELECT coalesce(sum(${isOurs}), 0) AS files, coalesce(sum(CASE WHEN ${isOurs} THEN size_bytes END), 0) AS bytes,
      coalesce(sum(is_ours = 0 AND state = 'stored'), 0) AS others FROM media_object WHERE location = ?`,
  messagesWithOurs: value<[location: string], number>`
    SELECT count(DISTINCT u.message) FROM media_object o JOIN media_file f ON f.object = o.id JOIN media_use u ON u.file = f.id
    WHERE o.location = ? AND o.is_ours = 1 AND o.state <> 'removed' AND EXISTS (SELECT 1 FROM destination t
      CROSS JOIN delivery d ON d.destination = t.id AND d.message = u.message WHERE d.state NOT IN ('pending', 'failed'))`,
});

/** Contents of files at locations, each once. */
export class MediaObjects extends withStatements(statements) {
  find(location: string, key: string): StoredObject | undefined {
    return this.sql.find.get(location, key);
  }

  /** Committed before the first byte of an object leaves: what has no intent was never written by us. @returns Its id. */
  intend(object: MediaObject): number {
    return this.sql.save.get({ ...object, state: 'intended', isOurs: 1, storedAt: null })!;
  }

  /** Records an object that was already there, with this length and digest. @returns Its id. */
  noteFound(object: MediaObject, nowMs: number): number {
    return this.sql.save.get({ ...object, state: 'stored', isOurs: 0, storedAt: nowMs })!;
  }

  noteStored(object: number, facts: string | null, nowMs: number): void {
    this.sql.noteStored.run(nowMs, facts, object);
  }

  /** People open it elsewhere by now. */
  noteMoved(object: number, address: string): void {
    this.sql.noteMoved.run(address, object);
  }

  /** Result of reading an object back. */
  noteChecked(object: number, fault: string | null, nowMs: number): void {
    this.sql.noteChecked.run(fault, nowMs, object);
  }

  noteRemoved(object: number): void {
    this.sql.noteRemoved.run(object);
  }

  /** Yields objects that are known to be stored at a location, by id. */
  stored(location: string): Generator<StoredObject> {
    return inPages('id', (after) => this.sql.stored.all(location, after));
  }

  /** Objects that we wrote, or were about to write, and did not remove. */
  ours(location: string): Generator<StoredObject> {
    return inPages('id', (after) => this.sql.ours.all(location, after));
  }

  countStored(location: string): number {
    return this.sql.countStored.get(location)!;
  }

  /**
   * Counts the objects of a location that may be deleted, those that were there before, and the messages at
   * destinations that have those files.
   */
  countRemovable(location: string) {
    return { ...this.sql.removable.get(location)!, messages: this.sql.messagesWithOurs.get(location)! };
  }
}
