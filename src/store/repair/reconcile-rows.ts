import type { Database } from 'better-sqlite3';

/** State of a message as found at a destination. */
export interface FoundMessage {
  readonly seq: number;
  readonly state: 'imported' | 'existing' | 'failed';
  readonly serverId: string;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  /** Messages that come behind it in the conversation arrived before it. */
  readonly isLate: boolean;
  /** Payload at the destination, if it differs from the staged one. */
  readonly payload?: string | undefined;
}

/** Facts learned about a conversation by reading all of it. */
export interface ConversationAtDestination {
  readonly conversation: number;
  readonly receiverType: string;
  readonly conversationId: string | undefined;
  /** Greatest server id of Chatferry's messages; undefined if there is none. */
  readonly lastServerId: string | undefined;
  readonly foreignCount: number;
}

/** Records what a destination holds, compared with what the store says about it. */
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
    found({ seq, state, serverId, code, detail, isLate, payload }: FoundMessage): void {
      const said = [code ?? null, detail ?? null, isLate ? 1 : 0, payload ?? null];
      found.run(destination, seq, state, batchId(), serverId, ...said);
    },
    learnServerId: (seq: number, serverId: string): void => void learnServerId.run(serverId, destination, seq),
    generationOf: (seq: number): number => generationOf.get(destination, seq) ?? 1,
    /** It is not there: to be sent, under the muid of this generation (null for the first, which is the plan's). */
    pending(seq: number, generation: number, muid: string | null): void {
      pending.run(destination, seq, batchId(), generation, muid);
    },
    conversation({
      conversation,
      receiverType,
      conversationId,
      lastServerId,
      foreignCount,
    }: ConversationAtDestination): void {
      const values = [receiverType, conversationId ?? null, lastServerId ?? null, foreignCount];
      learn.run(destination, conversation, ...values);
    },
    person: (person: number): void => void learnPerson.run(destination, person),
  };
}

/** A message, and the generation of the muid by which it was found. */
export interface Generation {
  readonly message: number;
  readonly generation: number;
}

/**
 * Which message and generation a muid is, where muids were met that are not those of the store. A temporary table, so memory
 * stays flat; only conversations with such muids are written to it.
 */
export function generationMuids(db: Database) {
  db.exec('DROP TABLE IF EXISTS temp.generation_muid; DROP TABLE IF EXISTS temp.met_generation');
  db.exec(
    'CREATE TEMP TABLE generation_muid (muid TEXT PRIMARY KEY, message INTEGER, generation INTEGER) WITHOUT ROWID',
  );
  db.exec('CREATE TEMP TABLE met_generation (message INTEGER PRIMARY KEY, generation INTEGER)');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.generation_muid VALUES (?, ?, ?)');
  const find = db.prepare<[string], Generation>('SELECT message, generation FROM temp.generation_muid WHERE muid = ?');
  const meet = db.prepare(
    `INSERT INTO temp.met_generation VALUES (?, ?)
     ON CONFLICT (message) DO UPDATE SET generation = max(generation, excluded.generation)`,
  );
  const seen = db.prepare<[number], number>('SELECT generation FROM temp.met_generation WHERE message = ?').pluck();
  return {
    add(muid: string, { message, generation }: Generation): void {
      insert.run(muid, message, generation);
    },
    /** Notes that a message with this muid is there. If several generations of a message are there, the latest counts. */
    meet(muid: string): void {
      const found = find.get(muid);
      if (found) meet.run(found.message, found.generation);
    },
    /** The latest generation of a message that was met. */
    metOf: (message: number): number | undefined => seen.get(message),
  };
}

/** Messages that were met while conversations are read, several at once: a temporary table, so memory stays flat. */
export function matchedMessages(db: Database, destination: number) {
  db.exec('DROP TABLE IF EXISTS temp.met');
  db.exec(
    'CREATE TEMP TABLE met (conversation INTEGER, message INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT OR IGNORE INTO temp.met VALUES (?, ?)');
  const find = db.prepare('SELECT 1 FROM temp.met WHERE conversation = ? AND message = ?');
  const count = db.prepare<[number], number>('SELECT count(*) FROM temp.met WHERE conversation = ?').pluck();
  const clear = db.prepare('DELETE FROM temp.met WHERE conversation = ?');
  const generation = db
    .prepare<[number, number], number>(
      `SELECT coalesce(max(d.generation), 1) FROM temp.met t
       CROSS JOIN delivery d ON d.destination = ? AND d.message = t.message WHERE t.conversation = ?`,
    )
    .pluck();
  return {
    clear: (conversation: number): void => void clear.run(conversation),
    /** False if it was met before. */
    add: (conversation: number, message: number): boolean => insert.run(conversation, message).changes === 1,
    has: (conversation: number, message: number): boolean => find.get(conversation, message) !== undefined,
    countOf: (conversation: number): number => count.get(conversation)!,
    /** The latest generation among those met. */
    generationOf: (conversation: number): number => generation.get(destination, conversation)!,
  };
}
