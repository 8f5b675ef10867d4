import type { Database } from 'better-sqlite3';

/**
 * What becomes of a call of an undo:
 *
 *     planned ──intent──▶ sent ──seen to be gone──▶ gone ──messages are pending again──▶ done
 *        │                  └──surely not applied──▶ planned
 *        └── not (only) ours any more ──▶ left
 */
export type UndoState = 'planned' | 'sent' | 'gone' | 'done' | 'left';

export interface UndoCall {
  readonly id: number;
  readonly kind: 'group' | 'conversation' | 'person';
  /** Id in the store of the conversation or the person. */
  readonly subject: number;
  /** Messages of ours in it, as far as the store knows. */
  readonly messages: number;
  readonly state: UndoState;
  /** When its request left, in epoch ms. */
  readonly sentAtMs: number | null;
}

/** Whether a request to delete may still be applied, or its consequences are not written down yet. */
export function hasOpenUndo(db: Database, destination: number): boolean {
  return (
    db
      .prepare(`SELECT 1 FROM undo_call WHERE destination = ? AND state IN ('sent', 'gone') LIMIT 1`)
      .get(destination) !== undefined
  );
}

/** The next calls in one of these states, behind a given id. */
export function undoCallsReader(db: Database, destination: number, states: readonly UndoState[]) {
  const select = db.prepare<[number, number, string, number], UndoCall>(
    `SELECT id, kind, subject, messages, state, sent_at AS sentAtMs FROM undo_call
     WHERE destination = ? AND id > ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
  );
  return (afterId: number, limit: number): UndoCall[] =>
    select.all(destination, afterId, JSON.stringify(states), limit);
}

/** Calls and messages of one run, by kind, state and reason. */
export interface UndoCount {
  readonly kind: UndoCall['kind'];
  readonly state: UndoState;
  readonly reason: string | null;
  readonly calls: number;
  readonly messages: number;
}

export function countUndoCalls(db: Database, destination: number, run: number): UndoCount[] {
  return db
    .prepare<[number, number], UndoCount>(
      `SELECT kind, state, reason, count(*) AS calls, sum(messages) AS messages FROM undo_call
       WHERE destination = ? AND run = ? GROUP BY kind, state, reason ORDER BY kind, state, count(*) DESC`,
    )
    .all(destination, run);
}

export interface NamedUndoCall extends UndoCall {
  readonly name: string;
  /** guid, uid, or the service's id of the conversation where it is known. */
  readonly target: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

interface UndoChoice {
  readonly run: number;
  readonly states: readonly UndoState[];
  /** Only calls that were left for it. */
  readonly reason?: string;
  readonly max: number;
}

/** Calls of a run with what a person wants to see of them, most messages first. */
export function namedUndoCalls(db: Database, { run, states, reason, max }: UndoChoice): NamedUndoCall[] {
  return db
    .prepare<[number, string, string | null, number], NamedUndoCall>(
      `SELECT u.id, u.kind, u.subject, u.messages, u.state, u.sent_at AS sentAtMs, u.reason, u.detail,
         coalesce(p.name, c.name) AS name,
         CASE u.kind WHEN 'person' THEN p.uid WHEN 'group' THEN c.guid ELSE coalesce(cd.conversation_id, a.uid || ' + ' || b.uid) END AS target
       FROM undo_call u
       LEFT JOIN person p ON u.kind = 'person' AND p.id = u.subject
       LEFT JOIN conversation c ON u.kind <> 'person' AND c.id = u.subject
       LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b
       LEFT JOIN conversation_delivery cd ON cd.destination = u.destination AND cd.conversation = c.id
       WHERE u.run = ? AND u.state IN (SELECT value FROM json_each(?)) AND u.reason IS coalesce(?, u.reason)
       ORDER BY u.messages DESC, u.id LIMIT ?`,
    )
    .all(run, JSON.stringify(states), reason ?? null, max);
}
