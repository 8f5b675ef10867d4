import type { Database } from 'better-sqlite3';
import type { Connection } from '../base/connection.ts';

/** The service's answer about an action. `pending`: certainly not applied. */
export interface ActionReceipt {
  readonly state: 'pending' | 'sent' | 'done' | 'existing' | 'failed';
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * Writes down what becomes of actions at one destination:
 *
 *     (no row) ──intent──▶ sent ──receipt──▶ done | existing | failed
 *                            └──surely not applied──▶ pending ──intent──▶ sent …
 */
export class ActionJournal {
  readonly #connection: Connection;
  readonly #intend: (action: number, serverId: string | null, nowMs: number) => void;
  readonly #receive: (action: number, receipt: ActionReceipt) => void;

  constructor(connection: Connection, destination: number, run: number) {
    this.#connection = connection;
    const intend = connection.db.prepare(
      `INSERT INTO action_delivery (destination, action, state, server_id, attempts, sent_at, run) VALUES (?, ?, 'sent', ?, 1, ?, ?)
       ON CONFLICT (destination, action) DO UPDATE SET state = 'sent', server_id = excluded.server_id, attempts = attempts + 1,
         sent_at = excluded.sent_at, run = excluded.run, code = NULL, detail = NULL`,
    );
    const receive = connection.db.prepare(
      'UPDATE action_delivery SET state = ?, code = ?, detail = ? WHERE destination = ? AND action = ?',
    );
    this.#intend = (action, serverId, nowMs) => intend.run(destination, action, serverId, nowMs, run);
    this.#receive = (action, { state, code, detail }) =>
      receive.run(state, code ?? null, detail ?? null, destination, action);
  }

  /** Resolves when the intent is on disk: the request may leave. */
  begin(action: number, serverId: string | null, nowMs: number): Promise<void> {
    return this.#connection.commits.commit(() => this.#intend(action, serverId, nowMs), 'intent');
  }

  /** Resolves when the receipt is on disk. */
  record(action: number, receipt: ActionReceipt): Promise<void> {
    return this.#connection.commits.commit(() => this.#receive(action, receipt));
  }
}

/** Returns when (wall time) the latest action that is still unconfirmed was requested; undefined if there is none. */
export const latestDoubtfulActionMs = (db: Database, destination: number): number | undefined =>
  db
    .prepare<[number], number | null>(
      `SELECT max(sent_at) FROM action_delivery WHERE destination = ? AND state = 'sent'`,
    )
    .pluck()
    .get(destination) ?? undefined;

/** Codes with which the service refuses a person who was not there, or was not in the conversation. */
const codes = `('ERR_UID_NOT_FOUND', 'ERR_MESSAGE_NO_ACCESS')`;

/**
 * People come to a destination with their first message, and to a group with their first message there: what was refused because
 * they were not there is to be asked for again once they have come. Messages of earlier runs were there before the refusal.
 *
 * @returns How many.
 */
export function reopenRefused(db: Database, destination: number): number {
  const since = db
    .prepare<[number], number | null>(
      `SELECT min(run) FROM action_delivery WHERE destination = ? AND state = 'failed' AND code IN ${codes}`,
    )
    .pluck()
    .get(destination);
  if (since === null || since === undefined) return 0;
  db.exec(`DROP TABLE IF EXISTS temp.newcomer;
    CREATE TEMP TABLE newcomer (person INTEGER, conversation INTEGER, run INTEGER, PRIMARY KEY (person, conversation)) WITHOUT ROWID`);
  db.prepare(
    `WITH arrived AS (
       SELECT m.sender, m.conversation, max(b.run) AS run FROM batch b JOIN delivery d ON d.batch = b.id AND d.destination = b.destination
       JOIN message m ON m.seq = d.message
       WHERE b.destination = ? AND b.run > ? AND d.state IN ('imported', 'existing') GROUP BY 1, 2)
     INSERT INTO temp.newcomer SELECT person, conversation, max(run) FROM (
       SELECT sender AS person, conversation, run FROM arrived
       UNION ALL SELECT c.person_a, c.id, run FROM arrived JOIN conversation c ON c.id = arrived.conversation WHERE c.receiver_type = 'user'
       UNION ALL SELECT c.person_b, c.id, run FROM arrived JOIN conversation c ON c.id = arrived.conversation WHERE c.receiver_type = 'user')
     WHERE person IS NOT NULL GROUP BY 1, 2`,
  ).run(destination, since);
  return db
    .prepare(
      `UPDATE action_delivery AS v SET state = 'pending' WHERE v.destination = ? AND v.state = 'failed' AND v.code IN ${codes}
         AND EXISTS (SELECT 1 FROM action a JOIN temp.newcomer n ON n.person IN (a.person, a.other) AND n.run > v.run
           WHERE a.id = v.action AND (v.code = 'ERR_UID_NOT_FOUND' OR n.conversation =
             (SELECT conversation FROM message WHERE seq = a.message)))`,
    )
    .run(destination).changes;
}
