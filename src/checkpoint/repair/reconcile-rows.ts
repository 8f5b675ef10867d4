import type { Database } from 'better-sqlite3';

/** What a destination was found to hold of a message. */
export interface FoundThere {
  readonly seq: number;
  readonly state: 'imported' | 'present' | 'refused';
  readonly serverId: string;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  /** Messages that come behind it in the conversation arrived before it. */
  readonly isLate: boolean;
  /** As it stands there, where the staged one is another. */
  readonly payload?: string | undefined;
}

/** What was learned of a conversation by reading all of it. */
export interface ConversationThere {
  readonly conversation: number;
  readonly receiverType: string;
  readonly conversationId: string | undefined;
  /** Greatest server id of ours; undefined where nothing of ours is there. */
  readonly lastServerId: string | undefined;
  readonly foreignCount: number;
}

/** Writes down what a destination holds, against what the books of it say. */
export function reconcileWriter(db: Database, destination: number, run: number) {
  // Found rows belong to a batch without attempts: nothing was sent for them by this store.
  const insertBatch = db.prepare(
    `INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, 0, 0, 'closed')`,
  );
  let batch: number | bigint | undefined;
  const batchId = () => (batch ??= insertBatch.run(destination, run).lastInsertRowid);
  const found = db.prepare(
    `INSERT INTO delivery (destination, message, state, batch, server_id, code, detail, is_late, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (destination, message) DO UPDATE SET state = excluded.state, server_id = excluded.server_id, code = excluded.code,
       detail = excluded.detail, is_late = max(is_late, excluded.is_late), payload = coalesce(excluded.payload, payload)`,
  );
  const learnServerId = db.prepare('UPDATE delivery SET server_id = ? WHERE destination = ? AND message = ?');
  const pending = db.prepare(
    `INSERT INTO delivery (destination, message, state, batch, generation, muid) VALUES (?, ?, 'pending', ?, ?, ?)
     ON CONFLICT (destination, message) DO UPDATE SET state = 'pending', generation = excluded.generation, muid = excluded.muid,
       payload = NULL, server_id = NULL, code = NULL, detail = NULL, is_late = 0`,
  );
  const generationOf = db
    .prepare<[number, number], number>('SELECT generation FROM delivery WHERE destination = ? AND message = ?')
    .pluck();
  const learn = db.prepare(
    `INSERT INTO conversation_delivery (destination, conversation, receiver_type, conversation_id, last_server_id, foreign_count)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (destination, conversation) DO UPDATE SET conversation_id = coalesce(excluded.conversation_id, conversation_id),
       last_server_id = excluded.last_server_id, foreign_count = excluded.foreign_count`,
  );
  const learnPerson = db.prepare('INSERT OR IGNORE INTO person_delivery (destination, person) VALUES (?, ?)');
  return {
    found({ seq, state, serverId, code, detail, isLate, payload }: FoundThere): void {
      const said = [code ?? null, detail ?? null, isLate ? 1 : 0, payload ?? null];
      found.run(destination, seq, state, batchId(), serverId, ...said);
    },
    learnServerId: (seq: number, serverId: string): void => void learnServerId.run(serverId, destination, seq),
    generationOf: (seq: number): number => generationOf.get(destination, seq) ?? 1,
    /** It is not there: to be sent, under the muid of this generation (null for the first, which is the plan's). */
    pending(seq: number, generation: number, muid: string | null): void {
      pending.run(destination, seq, batchId(), generation, muid);
    },
    conversation({ conversation, receiverType, conversationId, lastServerId, foreignCount }: ConversationThere): void {
      const values = [receiverType, conversationId ?? null, lastServerId ?? null, foreignCount];
      learn.run(destination, conversation, ...values);
    },
    person: (person: number): void => void learnPerson.run(destination, person),
  };
}

/** Whether a request for a message ever left from this store. */
export function hadAttemptReader(db: Database, destination: number): (message: number) => boolean {
  const select = db.prepare(
    `SELECT 1 FROM delivery d JOIN attempt a ON a.batch = d.batch WHERE d.destination = ? AND d.message = ? LIMIT 1`,
  );
  return (message) => select.get(destination, message) !== undefined;
}
