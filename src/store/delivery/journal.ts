import type { Database } from 'better-sqlite3';
import type { ImportOutcome } from '../../service/outcome.ts';
import { RowBuffer } from '../base/row-buffer.ts';
import type { Connection } from '../base/connection.ts';

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

/**
 * Writes what happens at one destination. Every change of a delivery is in one transaction with its evidence:
 *
 *     (no row) ──intent──▶ sent ──receipt──▶ imported | existing | failed
 *                            └──surely not applied, or absent after the grace period──▶ pending ──intent──▶ sent …
 */
export class Journal {
  readonly #connection: Connection;
  readonly #destination: number;
  readonly #run: number;
  readonly #lateMark: number;
  readonly #sql: ReturnType<typeof prepare>;
  #failedCount = 0;

  /** @param isLateAllowed Messages that are late are marked as allowed: reports do not count them. */
  constructor(connection: Connection, destination: number, run: number, isLateAllowed = false) {
    this.#connection = connection;
    this.#destination = destination;
    this.#run = run;
    this.#lateMark = isLateAllowed ? 2 : 1;
    this.#sql = prepare(connection.db);
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
    const { insertBatch, intend, fixReceiver, insertAttempt } = this.#sql;
    return this.#connection.commits.commit(() => {
      if (batch.id === undefined) {
        batch.id = Number(
          insertBatch.run(this.#destination, this.#run, batch.rows.length, batch.body.byteLength).lastInsertRowid,
        );
        for (const { seq, isLate } of batch.rows)
          intend.add([this.#destination, seq, batch.id, isLate ? this.#lateMark : 0]);
        intend.flush();
        for (const { conversation, receiverType, before } of new Set(batch.rows.map(({ lane }) => lane))) {
          const facts = [before?.wasEmpty, before?.groupExisted].map((fact) =>
            fact === undefined ? null : Number(fact),
          );
          fixReceiver.run(this.#destination, conversation, receiverType, ...facts);
        }
      }
      insertAttempt.run(batch.id, batch.attemptCount, nowMs, Math.floor(uptimeMs));
    }, 'intent');
  }

  /** Queued, and committed with the receipts that follow from it. */
  endAttempt(batch: JournalBatch, outcome: ImportOutcome, nowMs: number): void {
    const failure = outcome.kind === 'answered' ? undefined : outcome;
    // Taken now: by the time it is written, the batch may be on its next attempt.
    const { id, attemptCount } = batch;
    this.#connection.commits.queue(() =>
      this.#sql.endAttempt.run(
        nowMs,
        outcome.kind,
        failure?.status ?? null,
        failure?.code ?? null,
        failure?.detail ?? null,
        id,
        attemptCount,
      ),
    );
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
    const { receive, receiveFirst, learnConversation, learnPerson, closeBatch } = this.#sql;
    this.noteFailed(countFailed(changes));
    return this.#connection.commits.commit(() => {
      for (const { seq, serverId, isLate } of news.first ?? [])
        receiveFirst.add([this.#destination, seq, batchId!, serverId ?? null, isLate ? this.#lateMark : 0]);
      receiveFirst.flush();
      for (const { seq, state, serverId, code, detail, isLate } of changes) {
        const late = isLate ? this.#lateMark : 0;
        receive.run(state, serverId ?? null, code ?? null, detail ?? null, late, this.#destination, seq);
      }
      for (const { conversation, receiverType, conversationId, lastServerId, foreignCount } of news.conversations ??
        []) {
        learnConversation.run(
          this.#destination,
          conversation,
          receiverType,
          conversationId ?? null,
          lastServerId ?? null,
          foreignCount ?? 0,
        );
      }
      for (const person of news.people ?? []) learnPerson.run(this.#destination, person);
      if (news.closes && batchId !== undefined) closeBatch.run(batchId);
    });
  }

  /** Writes down messages that were found there although this store never saw them arrive. */
  found(batchless: readonly DeliveryChange[], news: ConversationNews): Promise<void> {
    const { insertFound, learnConversation } = this.#sql;
    this.noteFailed(countFailed(batchless));
    return this.#connection.commits.commit(() => {
      if (batchless.length > 0) {
        const batch = Number(
          this.#sql.insertBatch.run(this.#destination, this.#run, batchless.length, 0).lastInsertRowid,
        );
        for (const { seq, state, serverId, code, detail, isLate } of batchless) {
          const late = isLate ? this.#lateMark : 0;
          insertFound.run(this.#destination, seq, state, batch, serverId ?? null, code ?? null, detail ?? null, late);
        }
        this.#sql.closeBatch.run(batch);
      }
      learnConversation.run(
        this.#destination,
        news.conversation,
        news.receiverType,
        news.conversationId ?? null,
        news.lastServerId ?? null,
        news.foreignCount ?? 0,
      );
    });
  }
}

const countFailed = (changes: readonly DeliveryChange[]): number =>
  changes.filter(({ state }) => state === 'failed').length;

/** Several rows a statement. */
const prepareMany = (db: Database) => ({
  intend: new RowBuffer(
    db,
    (rows) => `INSERT INTO delivery (destination, message, state, batch, is_late) VALUES ${rows}
     ON CONFLICT (destination, message) DO UPDATE SET state = 'sent', batch = excluded.batch, is_late = excluded.is_late,
       payload = NULL, server_id = NULL, code = NULL, detail = NULL`,
    `(?, ?, 'sent', ?, ?)`,
  ),
  // The row of its intent holds nothing else, and no trigger asks about it: REPLACE takes half the time of an update.
  receiveFirst: new RowBuffer(
    db,
    (rows) => `REPLACE INTO delivery (destination, message, state, batch, server_id, is_late) VALUES ${rows}`,
    `(?, ?, 'imported', ?, ?, ?)`,
  ),
});

const prepare = (db: Database) => ({
  ...prepareMany(db),
  insertBatch: db.prepare(`INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, ?, ?, 'open')`),
  fixReceiver: db.prepare(
    `INSERT INTO conversation_delivery (destination, conversation, receiver_type, was_empty, group_existed)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT (destination, conversation) DO NOTHING`,
  ),
  insertAttempt: db.prepare('INSERT INTO attempt (batch, number, started_at, started_uptime) VALUES (?, ?, ?, ?)'),
  endAttempt: db.prepare(
    'UPDATE attempt SET ended_at = ?, outcome = ?, status = ?, code = ?, detail = ? WHERE batch = ? AND number = ?',
  ),
  receive: db.prepare(
    `UPDATE delivery SET state = ?, server_id = ?, code = ?, detail = ?, is_late = max(is_late, ?)
     WHERE destination = ? AND message = ?`,
  ),
  insertFound: db.prepare(
    `INSERT INTO delivery (destination, message, state, batch, server_id, code, detail, is_late) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (destination, message) DO UPDATE SET state = excluded.state, server_id = excluded.server_id,
       code = excluded.code, detail = excluded.detail, is_late = max(is_late, excluded.is_late)`,
  ),
  learnConversation: db.prepare(
    `INSERT INTO conversation_delivery (destination, conversation, receiver_type, conversation_id, last_server_id, foreign_count)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (destination, conversation) DO UPDATE SET
       conversation_id = coalesce(excluded.conversation_id, conversation_id),
       last_server_id = coalesce(excluded.last_server_id, last_server_id),
       foreign_count = max(foreign_count, excluded.foreign_count)`,
  ),
  learnPerson: db.prepare('INSERT OR IGNORE INTO person_delivery (destination, person) VALUES (?, ?)'),
  closeBatch: db.prepare(`UPDATE batch SET state = 'closed' WHERE id = ?`),
});

/** Import requests that left, to any destination, those of killed runs included. */
export const countAttempts = (db: Database): number =>
  db.prepare<[], number>('SELECT count(*) FROM attempt').pluck().get() ?? 0;

/**
 * Returns the least time since the last request of a batch that is still unconfirmed left. In ms; undefined if none is
 * unconfirmed.
 *
 * The wall clock may have been set since then, and the machine restarted. So this is the shorter of two counts: one by
 * the wall clock, and one by the machine's uptime. If the uptime is now lower than it was, all of it has passed since.
 */
export function sinceDoubtfulAttemptMs(
  db: Database,
  destination: number,
  clocks: { readonly nowMs: number; readonly uptimeMs: number },
): number | undefined {
  const sinceMs = db
    .prepare(
      `SELECT min(min(
         max(@nowMs - a.started_at, 0),
         CASE WHEN a.started_uptime IS NULL THEN @nowMs WHEN a.started_uptime > @uptimeMs THEN @uptimeMs
           ELSE @uptimeMs - a.started_uptime END))
       FROM batch b JOIN attempt a ON a.batch = b.id WHERE b.destination = @destination AND b.state = 'open'`,
    )
    .pluck()
    .get({ destination, ...clocks }) as number | null;
  return sinceMs ?? undefined;
}

/** Batches that are open although nothing of them is unconfirmed any more. */
export function closeFinishedBatches(db: Database, destination: number): void {
  db.prepare(
    `UPDATE batch SET state = 'closed' WHERE destination = ? AND state = 'open'
     AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.batch = batch.id AND d.state = 'sent')`,
  ).run(destination);
}
