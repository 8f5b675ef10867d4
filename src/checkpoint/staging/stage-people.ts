import type { Database } from 'better-sqlite3';
import type { StagedPerson } from './staged-item.ts';

/**
 * Writes people; answers their ids in the store. A description from a file wins over a placeholder;
 * of two names that messages give a placeholder the first in the alphabet, whatever the order of reading.
 */
export function personWriter(db: Database): (person: StagedPerson) => number {
  const upsert = db
    .prepare(
      `INSERT INTO person (source_id, uid, name, details, record, is_placeholder) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET uid = excluded.uid, name = excluded.name, details = excluded.details,
         record = excluded.record, is_placeholder = excluded.is_placeholder
         WHERE excluded.is_placeholder = 0 OR (person.is_placeholder = 1 AND excluded.name <> excluded.source_id
           AND (person.name = person.source_id OR excluded.name < person.name))
       RETURNING id`,
    )
    .pluck();
  const find = db.prepare('SELECT id FROM person WHERE source_id = ?').pluck();
  return ({ sourceId, uid, name, details, record, isPlaceholder }) =>
    (upsert.get(sourceId, uid, name, details, record, isPlaceholder ? 1 : 0) ?? find.get(sourceId)) as number;
}
