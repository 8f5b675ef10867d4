import type { Database } from 'better-sqlite3';
import type { StagedPerson } from './staged-item.ts';

/** Writes people; answers their ids in the store. A description from a file wins over a placeholder. */
export function personWriter(db: Database): (person: StagedPerson) => number {
  const upsert = db
    .prepare(
      `INSERT INTO person (source_id, uid, name, details, record, is_placeholder) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET uid = excluded.uid, name = excluded.name, details = excluded.details,
         record = excluded.record, is_placeholder = excluded.is_placeholder
         WHERE excluded.is_placeholder <= person.is_placeholder
       RETURNING id`,
    )
    .pluck();
  const find = db.prepare('SELECT id FROM person WHERE source_id = ?').pluck();
  return ({ sourceId, uid, name, details, record, isPlaceholder }) =>
    (upsert.get(sourceId, uid, name, details, record, isPlaceholder ? 1 : 0) ?? find.get(sourceId)) as number;
}
