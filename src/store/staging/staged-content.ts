import type { Database } from 'better-sqlite3';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
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

/** Records of people and conversations as the latest plan read them, by their ids at the source. */
export function stagedRecords(db: Database) {
  const person = db.prepare<[string], string>('SELECT record FROM person WHERE source_id = ?').pluck();
  const conversation = db.prepare<[string], string>('SELECT record FROM conversation WHERE source_id = ?').pluck();
  const parse = <T>(text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as T));
  return {
    person: (id: string) => parse<UserRecord>(person.get(id)),
    conversation: (id: string) => parse<ConversationRecord>(conversation.get(id)),
  };
}
