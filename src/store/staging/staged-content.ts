import type { Database } from 'better-sqlite3';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** The text of a message that is planned, by its muid; nothing can be asked while a first plan reads. */
export function stagedTextReader(db: Database): ((muid: string) => string | undefined) | undefined {
  if (!hasMessageIndex(db, 'message_muid')) return undefined;
  const select = db
    .prepare<[string], string | null>(
      `SELECT payload ->> '$.data.text' FROM message WHERE muid = ? AND verdict = 'planned'`,
    )
    .pluck();
  return (muid) => select.get(muid) ?? undefined;
}

/** The facts of a message, JSON, by its muid; null where it has none. */
export function factsReader(db: Database): (muid: string) => string | null {
  const select = db.prepare<[string], string | null>('SELECT facts FROM message WHERE muid = ?').pluck();
  return (muid) => select.get(muid) ?? null;
}
