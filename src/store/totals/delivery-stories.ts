import type { Database } from 'better-sqlite3';

/** Outcome of a message at one destination. */
export interface DeliveryStory {
  readonly destination: string;
  readonly state: string;
  /** The muid that it has there now; it differs from that of the message after an undo. */
  readonly muid: string | null;
  /** From 1; each undo there adds one. */
  readonly generation: number;
  readonly serverId: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly isLate: boolean;
  /** Every batch that held it, oldest first. */
  readonly batches: readonly BatchStory[];
}

/** A batch that held the message: its requests, and what was said of the message. */
export interface BatchStory {
  readonly batch: number;
  readonly run: number;
  /** Command of the run: import, retry, verify ... */
  readonly command: string;
  /** Messages in the batch. */
  readonly size: number;
  /** Empty if the message was found without a request from Chatferry. */
  readonly attempts: readonly AttemptStory[];
  readonly answers: readonly AnswerStory[];
}

export interface AttemptStory {
  readonly number: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  /** Null: no answer was written down. */
  readonly outcome: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly detail: string | null;
}

/** A state that the message had through the batch: `pending` where it turned out that nothing had arrived. */
export type AnswerStory = Pick<DeliveryStory, 'state' | 'generation' | 'serverId' | 'code' | 'detail'>;

interface DeliveryRow extends Omit<DeliveryStory, 'destination' | 'isLate' | 'batches'> {
  readonly destination: number;
  readonly name: string;
  readonly late: number;
}

/** Reads what became of messages, by their `seq`. */
export function deliveryStories(db: Database): (message: number) => DeliveryStory[] {
  const deliveries = db.prepare<{ message: number }, DeliveryRow>(
    `SELECT d.destination, t.name, d.state, coalesce(d.muid, m.muid) AS muid, d.generation, d.server_id AS serverId, d.code,
       d.detail, d.is_late AS late
     FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = @message JOIN message m ON m.seq = @message ORDER BY t.id`,
  );
  const batches = db.prepare<{ message: number; destination: number }, Omit<BatchStory, 'attempts' | 'answers'>>(
    `SELECT b.id AS batch, b.run, coalesce(r.command, '') AS command, b.size FROM batch b LEFT JOIN run r ON r.id = b.run
     WHERE b.id IN (SELECT batch FROM delivery WHERE destination = @destination AND message = @message
       UNION SELECT batch FROM delivery_history WHERE message = @message AND destination = @destination) ORDER BY b.id`,
  );
  const attempts = db.prepare<[number], AttemptStory>(
    `SELECT number, started_at AS startedAtMs, ended_at AS endedAtMs, outcome, status, code, detail FROM attempt
     WHERE batch = ? ORDER BY number`,
  );
  const answers = db.prepare<{ message: number; destination: number; batch: number }, AnswerStory>(
    `SELECT state, generation, serverId, code, detail FROM (
       SELECT rowid AS place, state, generation, server_id AS serverId, code, detail FROM delivery_history
       WHERE message = @message AND destination = @destination AND batch = @batch
       UNION ALL SELECT ${afterAllOthers}, state, generation, server_id, code, detail FROM delivery
       WHERE destination = @destination AND message = @message AND batch = @batch) ORDER BY place`,
  );
  return (message) =>
    deliveries.all({ message }).map(({ destination, name, late, ...row }) => ({
      destination: name,
      ...row,
      isLate: late === 1,
      batches: batches.all({ message, destination }).map((batch) => ({
        ...batch,
        attempts: attempts.all(batch.batch),
        answers: answers.all({ message, destination, batch: batch.batch }),
      })),
    }));
}

/** The greatest row number that SQLite gives. */
const afterAllOthers = '9223372036854775807';
