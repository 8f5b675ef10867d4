import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';

/** What a planned message carries, and where it stood in the export. */
export interface MessageWithFacts {
  readonly place: string;
  /** JSON. */
  readonly facts: string;
}

/** Messages of the first rows of a store that carry something. @param rowsMax Rows that are looked at, whatever they are. */
export function* messagesWithFacts(db: Database, rowsMax: number): Generator<MessageWithFacts> {
  const rows = db.prepare<[number], { path: string; place: string; facts: string }>(
    `SELECT f.path, m.place, m.facts FROM message m CROSS JOIN source_file f ON f.id = m.file
     WHERE m.seq < (SELECT coalesce(min(seq), 0) FROM message) + ? AND m.verdict = 'planned' AND m.vanished = 0 AND m.facts IS NOT NULL`,
  );
  for (const { path, place, facts } of rows.iterate(rowsMax)) yield { place: printPlace(path, place), facts };
}
