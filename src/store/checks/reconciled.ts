import type { Database } from 'better-sqlite3';
import type { DeliveryRow, LearnedConversation } from '../batches.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';

interface FoundMessage {
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
interface ConversationAtDestination {
  readonly conversation: number;
  readonly receiverType: string;
  readonly conversationId: string | undefined;
  /** Greatest server id of Chatferry's messages; undefined if there is none. */
  readonly lastServerId: string | undefined;
  readonly foreignCount: number;
}

/** A message, and the generation of the muid by which it was found. */
interface Generation {
  readonly message: number;
  readonly generation: number;
}

interface FoundRow extends DeliveryRow {
  readonly batch: number;
  readonly payload: string | null;
}

const statements = lateStatements({
  insertBatch: sql<[destination: number, run: number]>`
    INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, 0, 0, 'closed')`,
  found: sql<FoundRow>`
    INSERT INTO delivery (destination, message, state, batch, server_id, code, detail, is_late, payload)
    VALUES (@destination, @seq, @state, @batch, @serverId, @code, @detail, @late, @payload)
    ON CONFLICT (destination, message) DO UPDATE SET state = excluded.state, server_id = excluded.server_id, code = excluded.code,
      detail = excluded.detail, is_late = max(is_late, excluded.is_late), payload = coalesce(excluded.payload, payload)`,
  learnServerId: sql<[serverId: string, destination: number, message: number]>`
    UPDATE delivery SET server_id = ? WHERE destination = ? AND message = ?`,
  pending: sql<[destination: number, message: number, batch: number, generation: number, muid: string | null]>`
    INSERT INTO delivery (destination, message, state, batch, generation, muid) VALUES (?, ?, 'pending', ?, ?, ?)
    ON CONFLICT (destination, message) DO UPDATE SET state = 'pending', generation = excluded.generation, muid = excluded.muid,
      payload = NULL, server_id = NULL, code = NULL, detail = NULL, is_late = 0`,
  generation: value<[destination: number, message: number], number>`
    SELECT generation FROM delivery WHERE destination = ? AND message = ?`,
  learnConversation: sql<LearnedConversation>`
    INSERT INTO conversation_delivery (destination, conversation, receiver_type, conversation_id, last_server_id, foreign_count)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (destination, conversation) DO UPDATE SET conversation_id = coalesce(excluded.conversation_id, conversation_id),
      last_server_id = excluded.last_server_id, foreign_count = excluded.foreign_count`,
  learnPerson: sql<[destination: number, person: number]>`
    INSERT OR IGNORE INTO person_delivery (destination, person) VALUES (?, ?)`,
  addMuid: sql<[muid: string, message: number, generation: number]>`
    INSERT OR IGNORE INTO temp.generation_muid VALUES (?, ?, ?)`,
  ofMuid: sql<[muid: string], Generation>`SELECT message, generation FROM temp.generation_muid WHERE muid = ?`,
  meetGeneration: sql<[message: number, generation: number]>`
    INSERT INTO temp.met_generation VALUES (?, ?)
    ON CONFLICT (message) DO UPDATE SET generation = max(generation, excluded.generation)`,
  metGeneration: value<[message: number], number>`SELECT generation FROM temp.met_generation WHERE message = ?`,
  meet: sql<[conversation: number, message: number]>`INSERT OR IGNORE INTO temp.met VALUES (?, ?)`,
  isMet: sql<[conversation: number, message: number]>`SELECT 1 FROM temp.met WHERE conversation = ? AND message = ?`,
  countMet: value<[conversation: number], number>`SELECT count(*) FROM temp.met WHERE conversation = ?`,
  clearMet: sql<[conversation: number]>`DELETE FROM temp.met WHERE conversation = ?`,
  latestGeneration: value<[destination: number, conversation: number], number>`
    SELECT coalesce(max(d.generation), 1) FROM temp.met t
    CROSS JOIN delivery d ON d.destination = ? AND d.message = t.message WHERE t.conversation = ?`,
});

/** Records what a destination holds, compared with what the store says about it. */
export class ReconciledRows extends withStatements(statements) {
  readonly #destination: number;
  readonly #run: number;
  #batch: number | undefined;

  constructor(db: Database, destination: number, run: number) {
    super(db);
    this.#destination = destination;
    this.#run = run;
  }

  found({ seq, state, serverId, code, detail, isLate, payload }: FoundMessage): void {
    this.sql.found.run({
      destination: this.#destination,
      seq,
      state,
      batch: this.#batchId(),
      serverId,
      code: code ?? null,
      detail: detail ?? null,
      late: isLate ? 1 : 0,
      payload: payload ?? null,
    });
  }

  learnServerId(seq: number, serverId: string): void {
    this.sql.learnServerId.run(serverId, this.#destination, seq);
  }

  generationOf(seq: number): number {
    return this.sql.generation.get(this.#destination, seq) ?? 1;
  }

  /** It is not there: to be sent, under the muid of this generation (null for the first, which is the plan's). */
  pending(seq: number, generation: number, muid: string | null): void {
    this.sql.pending.run(this.#destination, seq, this.#batchId(), generation, muid);
  }

  conversation({
    conversation,
    receiverType,
    conversationId,
    lastServerId,
    foreignCount,
  }: ConversationAtDestination): void {
    const learned = [conversationId ?? null, lastServerId ?? null, foreignCount] as const;
    this.sql.learnConversation.run(this.#destination, conversation, receiverType, ...learned);
  }

  person(person: number): void {
    this.sql.learnPerson.run(this.#destination, person);
  }

  /** Found rows belong to a batch without attempts: nothing was sent for them by this store. */
  #batchId(): number {
    this.#batch ??= Number(this.sql.insertBatch.run(this.#destination, this.#run).lastInsertRowid);
    return this.#batch;
  }
}

/**
 * Which message and generation a muid is, where muids were met that are not those of the store. A temporary table, so memory
 * stays flat; only conversations with such muids are written to it.
 */
export class GenerationMuids extends withStatements(statements) {
  constructor(db: Database) {
    super(db);
    db.exec(`DROP TABLE IF EXISTS temp.generation_muid; DROP TABLE IF EXISTS temp.met_generation;
      CREATE TEMP TABLE generation_muid (muid TEXT PRIMARY KEY, message INTEGER, generation INTEGER) WITHOUT ROWID;
      CREATE TEMP TABLE met_generation (message INTEGER PRIMARY KEY, generation INTEGER)`);
  }

  add(muid: string, { message, generation }: Generation): void {
    this.sql.addMuid.run(muid, message, generation);
  }

  /** Notes that a message with this muid is there. If several generations of a message are there, the latest counts. */
  meet(muid: string): void {
    const found = this.sql.ofMuid.get(muid);
    if (found) this.sql.meetGeneration.run(found.message, found.generation);
  }

  /** The latest generation of a message that was met. */
  metOf(message: number): number | undefined {
    return this.sql.metGeneration.get(message);
  }
}

/** Messages that were met while conversations are read, several at once: a temporary table, so memory stays flat. */
export class MetMessages extends withStatements(statements) {
  readonly #destination: number;

  constructor(db: Database, destination: number) {
    super(db);
    this.#destination = destination;
    db.exec(`DROP TABLE IF EXISTS temp.met;
      CREATE TEMP TABLE met (conversation INTEGER, message INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID`);
  }

  clear(conversation: number): void {
    this.sql.clearMet.run(conversation);
  }

  /** False if it was met before. */
  add(conversation: number, message: number): boolean {
    return this.sql.meet.run(conversation, message).changes === 1;
  }

  has(conversation: number, message: number): boolean {
    return this.sql.isMet.get(conversation, message) !== undefined;
  }

  countOf(conversation: number): number {
    return this.sql.countMet.get(conversation)!;
  }

  generationOf(conversation: number): number {
    return this.sql.latestGeneration.get(this.#destination, conversation)!;
  }
}
