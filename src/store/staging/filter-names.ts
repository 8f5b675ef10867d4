import type { Database } from 'better-sqlite3';

/** Everything by which a person may be called in a filter. */
export interface PersonNames {
  readonly sourceId: string;
  readonly uid: string;
  readonly name: string | null;
  readonly handle: string | null;
  readonly email: string | null;
}

export interface ConversationNames {
  readonly sourceId: string;
  readonly name: string;
}

/** Names of people and conversations by their ids in the store. */
export function filterNamesReader(db: Database) {
  const person = db.prepare<[number], PersonNames>(
    `SELECT source_id AS sourceId, uid, record ->> '$.name' AS name, record ->> '$.handle' AS handle, record ->> '$.email' AS email
     FROM person WHERE id = ?`,
  );
  const conversation = db.prepare<[number], ConversationNames>(
    'SELECT source_id AS sourceId, name FROM conversation WHERE id = ?',
  );
  return {
    person: (id: number): PersonNames | undefined => person.get(id),
    conversation: (id: number): ConversationNames | undefined => conversation.get(id),
  };
}

/** Everybody, and every conversation, one by one. */
export function* allFilterNames(db: Database): Generator<PersonNames | ConversationNames> {
  yield* db
    .prepare<[], PersonNames>(
      `SELECT source_id AS sourceId, uid, record ->> '$.name' AS name, record ->> '$.handle' AS handle, record ->> '$.email' AS email FROM person`,
    )
    .iterate();
  yield* db.prepare<[], ConversationNames>('SELECT source_id AS sourceId, name FROM conversation').iterate();
}
