import { systemClock } from '../lib/flow/clock.ts';
import type { ImportOutcome } from '../service/outcome.ts';
import { ageOpenAttempts } from './batches/attempt-ages.ts';
import { Replay } from './batches/replay.ts';
import type { Connection } from './base/connection.ts';
import { RowBuffer } from './base/row-buffer.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';

export type LeftIntent = Parameters<Replay['add']>[0];

/** Fields of a message on its way that the journal needs. */
interface JournalRow {
  readonly seq: number;
  readonly isLate: boolean;
  readonly lane: {
    readonly conversation: number;
    readonly receiverType: string;
    /** State of the conversation before the first delivery, if it was checked. */
    readonly before?: { readonly wasEmpty: boolean; readonly groupExisted: boolean | undefined } | undefined;
  };
}

interface JournalBatch {
  readonly rows: readonly JournalRow[];
  readonly body: Uint8Array;
  id: number | undefined;
  readonly attemptCount: number;
}

/** Outcome of one message. `sent` is unconfirmed. */
export interface DeliveryChange {
  readonly seq: number;
  readonly state: 'pending' | 'sent' | 'imported' | 'existing' | 'failed';
  readonly serverId?: string | undefined;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  /** The message turned out to come after messages that it should precede. */
  readonly isLate?: boolean;
}

/** A message that arrived with the first request that ever had it. */
export interface FirstReceipt {
  readonly seq: number;
  readonly serverId: string | undefined;
  readonly isLate: boolean;
}

/** Facts learned about a conversation at the destination. */
export interface ConversationNews {
  readonly conversation: number;
  readonly receiverType: string;
  readonly conversationId?: string | undefined;
  readonly lastServerId?: string | undefined;
  readonly foreignCount?: number;
}

export interface DeliveryRow {
  readonly destination: number;
  readonly seq: number;
  readonly state: string;
  readonly serverId: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly late: number;
}

export type LearnedConversation = [
  destination: number,
  conversation: number,
  receiverType: string,
  id: string | null,
  last: string | null,
  foreign: number,
];

interface AttemptEnd {
  readonly nowMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly batch: number | undefined;
  readonly number: number;
}

const statements = lateStatements({
  insertBatch: sql<[destination: number, run: number, size: number, bytes: number]>`
    INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, ?, ?, 'open')`,
  fixReceiver: sql<
    [
      destination: number,
      conversation: number,
      receiverType: string,
      wasEmpty: number | null,
      groupExisted: number | null,
    ]
  >`
    INSERT INTO conversation_delivery (destination, conversation, receiver_type, was_empty, group_existed)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT (destination, conversation) DO NOTHING`,
  insertAttempt: sql<[batch: number, number: number, nowMs: number, uptimeMs: number]>`
    INSERT INTO attempt (batch, number, started_at, started_uptime) VALUES (?, ?, ?, ?)`,
  endAttempt: sql<AttemptEnd>`
    UPDATE attempt SET ended_at = @nowMs, outcome = @outcome, status = @status, code = @code, detail = @detail
    WHERE batch = @batch AND number = @number`,
  receive: sql<DeliveryRow>`
    UPDATE delivery SET state = @state, server_id = @serverId, code = @code, detail = @detail, is_late = max(is_late, @late)
    WHERE destination = @destination AND message = @seq`,
  insertFound: sql<DeliveryRow & { readonly batch: number }>`
    INSERT INTO delivery (destination, message, state, batch, server_id, code, detail, is_late)
    VALUES (@destination, @seq, @state, @batch, @serverId, @code, @detail, @late)
    ON CONFLICT (destination, message) DO UPDATE SET state = excluded.state, server_id = excluded.server_id,
      code = excluded.code, detail = excluded.detail, is_late = max(is_late, excluded.is_late)`,
  learnConversation: sql<LearnedConversation>`
    INSERT INTO conversation_delivery (destination, conversation, receiver_type, conversation_id, last_server_id, foreign_count)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (destination, conversation) DO UPDATE SET
      conversation_id = coalesce(excluded.conversation_id, conversation_id),
      last_server_id = coalesce(excluded.last_server_id, last_server_id),
      foreign_count = max(foreign_count, excluded.foreign_count)`,
  learnPerson: sql<[destination: number, person: number]>`
    INSERT OR IGNORE INTO person_delivery (destination, person) VALUES (?, ?)`,
  closeBatch: sql<[batch: number]>`UPDATE batch SET state = 'closed' WHERE id = ?`,
  closeFinished: sql<[destination: number]>`
    UPDATE batch SET state = 'closed' WHERE destination = ? AND state = 'open'
    AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.batch = batch.id AND d.state = 'sent')`,
  countAttempts: value<[], number>`SELECT count(*) FROM attempt`,
  countUnconfirmed: value<[destination: number], number>`
    SELECT count(*) FROM delivery WHERE destination = ? AND state = 'sent'`,
  sinceDoubtful: value<{ destination: number; nowMs: number; uptimeMs: number }, number | null>`
    SELECT min(min(
      max(@nowMs - a.started_at, 0),
      CASE WHEN a.started_uptime IS NULL THEN @nowMs WHEN a.started_uptime > @uptimeMs THEN @uptimeMs
        ELSE @uptimeMs - a.started_uptime END))
    FROM batch b JOIN attempt a ON a.batch = b.id WHERE b.destination = @destination AND b.state = 'open'`,
  hadAttempt: sql<[destination: number, message: number]>`
    SELECT 1 FROM delivery d JOIN attempt a ON a.batch = d.batch WHERE d.destination = ? AND d.message = ? LIMIT 1`,
});

/** Requests, each written before it leaves, and what a destination said about their messages. */
export class Batches extends withStatements(statements) {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super(connection.db);
    this.#connection = connection;
  }

  /** @param isLateAllowed Messages that are late are marked as allowed: reports do not count them. */
  openJournal(destination: number, run: number, isLateAllowed = false): Journal {
    return new Journal(this.#connection, destination, run, isLateAllowed);
  }

  /** Closes those that are open although nothing of them is unconfirmed any more. */
  closeFinished(destination: number): void {
    this.sql.closeFinished.run(destination);
  }

  /** Import requests that left, to any destination, those of killed runs included. */
  countAttempts(): number {
    return this.sql.countAttempts.get()!;
  }

  countUnconfirmed(destination: number): number {
    return this.sql.countUnconfirmed.get(destination)!;
  }

  /** Whether a request for a message ever left from this store. */
  hadAttempt(destination: number, message: number): boolean {
    return this.sql.hadAttempt.get(destination, message) !== undefined;
  }

  /**
   * Returns the least time since the last request of a batch that is still unconfirmed left. In ms; undefined if none is
   * unconfirmed.
   *
   * The wall clock may have been set since then, and the machine restarted. So this is the shorter of two counts: one by
   * the wall clock, and one by the machine's uptime. If the uptime is now lower than it was, all of it has passed since.
   */
  sinceDoubtfulMs(
    destination: number,
    { nowMs, uptimeMs }: { readonly nowMs: number; readonly uptimeMs: number },
  ): number | undefined {
    return this.sql.sinceDoubtful.get({ destination, nowMs, uptimeMs }) ?? undefined;
  }

  /** See `ageOpenAttempts`. */
  ageOpen(agoMs: number, nowMs: number, uptimeMs?: number): void {
    ageOpenAttempts(this.#connection.db, agoMs, nowMs, uptimeMs);
  }

  /**
   * Puts into a restored store what left since its copy was made, in the order in which it left. What is known to have arrived is
   * imported, everything else unconfirmed: the next import finds out what became of it. What the store has an answer for keeps it.
   *
   *     (no row), pending, sent ──left──▶ sent, in an open batch of its time   ──told to have arrived──▶ imported
   *
   * The attempts count from `nowMs` and `uptimeMs` back. What stood in a conversation before the first request
   * is not known any more, so that an undo leaves it alone.
   *
   * @param options `isLateAllowed`: messages behind younger ones are marked as allowed, as the import that sent them would have done.
   */
  replay(
    destination: number,
    intents: Iterable<LeftIntent>,
    nowMs: number,
    { isLateAllowed = false, uptimeMs = systemClock.uptime() }: { isLateAllowed?: boolean; uptimeMs?: number } = {},
  ): Replay['counts'] {
    const { db } = this.#connection;
    const replay = new Replay(db, destination, { nowMs, uptimeMs, lateMark: isLateAllowed ? 2 : 1 });
    db.transaction(() => {
      for (const intent of intents) replay.add(intent);
      replay.markLate();
      this.closeFinished(destination);
    })();
    return replay.counts;
  }
}

/**
 * Writes what happens at one destination. Every change of a delivery is in one transaction with its evidence:
 *
 *     (no row) ──intent──▶ sent ──receipt──▶ imported | existing | failed
 *                            └──surely not applied, or absent after the grace period──▶ pending ──intent──▶ sent …
 */
export class Journal extends withStatements(statements) {
  readonly #connection: Connection;
  readonly #destination: number;
  readonly #run: number;
  readonly #lateMark: number;
  readonly #intents: RowBuffer;
  readonly #firstReceipts: RowBuffer;
  #failedCount = 0;

  /** @param isLateAllowed Messages that are late are marked as allowed: reports do not count them. */
  constructor(connection: Connection, destination: number, run: number, isLateAllowed = false) {
    super(connection.db);
    this.#connection = connection;
    this.#destination = destination;
    this.#run = run;
    this.#lateMark = isLateAllowed ? 2 : 1;
    this.#intents = new RowBuffer(
      connection.db,
      (rows) => `INSERT INTO delivery (destination, message, state, batch, is_late) VALUES ${rows}
     ON CONFLICT (destination, message) DO UPDATE SET state = 'sent', batch = excluded.batch, is_late = excluded.is_late,
       payload = NULL, server_id = NULL, code = NULL, detail = NULL`,
      `(?, ?, 'sent', ?, ?)`,
    );
    // The row of its intent holds nothing else, and no trigger asks about it: REPLACE takes half the time of an update.
    this.#firstReceipts = new RowBuffer(
      connection.db,
      (rows) => `REPLACE INTO delivery (destination, message, state, batch, server_id, is_late) VALUES ${rows}`,
      `(?, ?, 'imported', ?, ?, ?)`,
    );
  }

  /** Messages that failed since it was opened: refused by the destination, or by rules of ours. */
  get failedCount(): number {
    return this.#failedCount;
  }

  /** So many failed by a rule of ours, which has written it down itself. */
  noteFailed(count: number): void {
    this.#failedCount += count;
  }

  /** Resolves when the intent is on disk: the request may leave. */
  beginAttempt(batch: JournalBatch, nowMs: number, uptimeMs: number): Promise<void> {
    return this.#connection.commits.commit(() => {
      batch.id ??= this.#beginBatch(batch);
      this.sql.insertAttempt.run(batch.id, batch.attemptCount, nowMs, Math.floor(uptimeMs));
    }, 'intent');
  }

  #beginBatch({ rows, body }: JournalBatch): number {
    const id = this.#insertBatch(rows.length, body.byteLength);
    for (const { seq, isLate } of rows) this.#intents.add([this.#destination, seq, id, isLate ? this.#lateMark : 0]);
    this.#intents.flush();
    for (const { conversation, receiverType, before } of new Set(rows.map(({ lane }) => lane))) {
      const facts = [before?.wasEmpty, before?.groupExisted].map((fact) => (fact === undefined ? null : Number(fact)));
      this.sql.fixReceiver.run(this.#destination, conversation, receiverType, ...(facts as [number, number]));
    }
    return id;
  }

  #insertBatch(size: number, bytes: number): number {
    return Number(this.sql.insertBatch.run(this.#destination, this.#run, size, bytes).lastInsertRowid);
  }

  /** Queued, and committed with the receipts that follow from it. */
  endAttempt({ id: batch, attemptCount: number }: JournalBatch, outcome: ImportOutcome, nowMs: number): void {
    const { status, code, detail } = outcome.kind === 'answered' ? {} : outcome;
    // Taken now: by the time it is written, the batch may be on its next attempt.
    const end = { nowMs, outcome: outcome.kind, status: status ?? null, code: code ?? null, detail: detail ?? null };
    this.#connection.commits.queue(() => this.sql.endAttempt.run({ ...end, batch, number }));
  }

  /** Resolves when the receipts are on disk. `closes` says that nothing of the batch is unconfirmed any more. */
  record(
    batchId: number | undefined,
    changes: readonly DeliveryChange[],
    news: {
      readonly first?: readonly FirstReceipt[];
      readonly conversations?: readonly ConversationNews[];
      readonly people?: readonly number[];
      readonly closes: boolean;
    },
  ): Promise<void> {
    this.noteFailed(countFailed(changes));
    return this.#connection.commits.commit(() => {
      for (const { seq, serverId, isLate } of news.first ?? [])
        this.#firstReceipts.add([this.#destination, seq, batchId!, serverId ?? null, isLate ? this.#lateMark : 0]);
      this.#firstReceipts.flush();
      for (const change of changes) this.sql.receive.run(this.#deliveryRow(change));
      for (const each of news.conversations ?? []) this.#learnConversation(each);
      for (const person of news.people ?? []) this.sql.learnPerson.run(this.#destination, person);
      if (news.closes && batchId !== undefined) this.sql.closeBatch.run(batchId);
    });
  }

  /** Writes down messages that were found there although this store never saw them arrive. */
  found(batchless: readonly DeliveryChange[], news: ConversationNews): Promise<void> {
    this.noteFailed(countFailed(batchless));
    return this.#connection.commits.commit(() => {
      if (batchless.length > 0) {
        const batch = this.#insertBatch(batchless.length, 0);
        for (const change of batchless) this.sql.insertFound.run({ ...this.#deliveryRow(change), batch });
        this.sql.closeBatch.run(batch);
      }
      this.#learnConversation(news);
    });
  }

  #deliveryRow({ seq, state, serverId, code, detail, isLate }: DeliveryChange): DeliveryRow {
    return {
      destination: this.#destination,
      seq,
      state,
      serverId: serverId ?? null,
      code: code ?? null,
      detail: detail ?? null,
      late: isLate ? this.#lateMark : 0,
    };
  }

  #learnConversation({
    conversation,
    receiverType,
    conversationId,
    lastServerId,
    foreignCount,
  }: ConversationNews): void {
    const learned = [conversationId ?? null, lastServerId ?? null, foreignCount ?? 0] as const;
    this.sql.learnConversation.run(this.#destination, conversation, receiverType, ...learned);
  }
}

const countFailed = (changes: readonly DeliveryChange[]): number =>
  changes.filter(({ state }) => state === 'failed').length;
