import type { Database } from 'better-sqlite3';
import { insideConversations, insideMessages } from '../base/inside-messages.ts';
import { inPages } from '../base/pages.ts';

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

export interface UndoScope {
  readonly destination: number;
  readonly run: number;
  /** Only what `chooseInside` wrote down: a conversation that holds something else as well is left alone. */
  readonly insideOnly: boolean;
}

/**
 * Lists the calls that an undo would make to a destination, from the store alone: a conversation is deleted only if the
 * store shows that it was empty before the import, and a group only if it did not exist. Everything else is listed as
 * left alone, with the reason. Calls that an earlier undo left open become part of this one.
 */
export function planUndo(db: Database, { destination, run, insideOnly }: UndoScope): void {
  const isAskedFor = insideOnly ? `m.conversation IN (${insideConversations})` : 'true';
  const isOutside = insideOnly ? `d.state <> 'pending' AND m.seq NOT IN (${insideMessages})` : 'false';
  db.transaction(() => {
    db.prepare(`DELETE FROM undo_call WHERE destination = ? AND state IN ('planned', 'left')`).run(destination);
    db.prepare(`UPDATE undo_call SET run = ? WHERE destination = ? AND state IN ('sent', 'gone')`).run(
      run,
      destination,
    );
    db.prepare(
      `INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
       SELECT destination, @run, kind, conversation, imported, CASE WHEN reason IS NULL THEN 'planned' ELSE 'left' END, reason
       FROM (SELECT cd.destination, cd.conversation, CASE cd.receiver_type WHEN 'group' THEN 'group' ELSE 'conversation' END AS kind,
               t.imported + t.existing AS imported,
               CASE WHEN t.outside > 0 THEN 'outside-only'
                    WHEN t.unconfirmed > 0 THEN 'unconfirmed'
                    WHEN cd.foreign_count > 0 THEN 'foreign'
                    WHEN t.existing > 0 THEN 'existing'
                    WHEN t.different > 0 THEN 'different'
                    WHEN cd.was_empty IS NULL THEN 'not-proved'
                    WHEN cd.receiver_type = 'group' AND cd.group_existed IS NULL THEN 'not-proved'
                    WHEN cd.receiver_type = 'group' AND cd.group_existed = 1 THEN 'group-existed' END AS reason
             FROM (SELECT m.conversation, sum(d.state = 'imported') AS imported, sum(d.state = 'existing') AS existing,
                     sum(d.state = 'sent') AS unconfirmed, sum(d.state = 'failed' AND d.server_id IS NOT NULL) AS different,
                     sum(${isOutside}) AS outside
                   FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = @destination AND ${isAskedFor}
                   GROUP BY m.conversation) t
             JOIN conversation_delivery cd ON cd.destination = @destination AND cd.conversation = t.conversation
             WHERE t.imported + t.existing + t.unconfirmed > 0)
       WHERE NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination AND o.kind <> 'person'
         AND o.subject = conversation AND o.state IN ('sent', 'gone'))
       ORDER BY conversation`,
    ).run({ destination, run });
  }).immediate();
}

/**
 * The same for people: only those whom the destination did not know when an import asked for them. With a filter, those
 * who wrote what is inside, or to whom it was written.
 */
export function planDeactivations(db: Database, { destination, run, insideOnly }: UndoScope): void {
  const isAskedFor = insideOnly
    ? `pd.person IN (SELECT sender FROM message WHERE seq IN (${insideMessages})
         UNION SELECT person_a FROM conversation WHERE id IN (${insideConversations})
         UNION SELECT person_b FROM conversation WHERE id IN (${insideConversations}))`
    : 'true';
  db.prepare(
    `INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
     SELECT pd.destination, @run, 'person', pd.person, 0,
       CASE b.existed WHEN 0 THEN 'planned' ELSE 'left' END,
       CASE WHEN b.existed IS NULL THEN 'person-not-proved' WHEN b.existed = 1 THEN 'person-existed' END
     FROM person_delivery pd LEFT JOIN person_before b ON b.destination = pd.destination AND b.person = pd.person
     WHERE pd.destination = @destination AND ${isAskedFor} AND NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination
       AND o.kind = 'person' AND o.subject = pd.person AND o.state IN ('sent', 'gone'))
     ORDER BY pd.person`,
  ).run({ destination, run });
}

/** Yields calls in one of these states, by id: rows that change during the iteration have already been passed. */
export function undoCalls(db: Database, destination: number, states: readonly UndoState[]): Iterable<UndoCall> {
  const select = db.prepare<[number, number, string], UndoCall>(
    `SELECT id, kind, subject, messages, state, sent_at AS sentAtMs FROM undo_call
     WHERE destination = ? AND id > ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 500`,
  );
  return inPages('id', (after) => select.all(destination, after, JSON.stringify(states)));
}

export interface UndoNews {
  readonly sentAtMs?: number;
  readonly reason?: string;
  readonly detail?: string;
}

/** Writes down how far a call of an undo has come; on disk when it returns. */
export function undoCallWriter(db: Database) {
  const update = db.prepare(
    'UPDATE undo_call SET state = ?, sent_at = coalesce(?, sent_at), reason = ?, detail = ? WHERE id = ?',
  );
  return (id: number, state: UndoState, { sentAtMs, reason, detail }: UndoNews = {}): void => {
    update.run(state, sentAtMs ?? null, reason ?? null, detail ?? null, id);
  };
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
  /** guid, uid, or the service's id of the conversation if it is known. */
  readonly target: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

export interface UndoChoice {
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
