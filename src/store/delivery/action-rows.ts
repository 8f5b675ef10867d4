import type { Database } from 'better-sqlite3';
import { inPages } from '../base/pages.ts';
import type { ActionKind } from '../../model/action.ts';

/** An action with everything that its request needs. */
export interface ActionRow {
  readonly id: number;
  readonly kind: ActionKind;
  /** Who reacts, befriends, blocks, is deactivated: of the store, and of the service. */
  readonly person: number;
  readonly uid: string;
  /** Who is befriended or blocked; else empty. */
  readonly otherUid: string;
  /** Else empty. */
  readonly reaction: string;
  /** The service's id of the message; null if the action is not about one. */
  readonly serverId: string | null;
  /** The message's conversation at the service, and when it was sent, in epoch ms. */
  readonly conversationId: string | null;
  readonly sentAtMs: number | null;
  /** Requests so far. */
  readonly attempts: number;
}

/** Actions of one kind that may be asked for, or that are unconfirmed, by id. */
export function actionRowsReader(db: Database, destination: number) {
  const select = db.prepare<[string, number, string], ActionRow>(
    `SELECT a.id, a.kind, a.person, p.uid, coalesce(o.uid, '') AS otherUid, a.reaction, d.server_id AS serverId,
       cd.conversation_id AS conversationId, m.sent_at AS sentAtMs, coalesce(v.attempts, 0) AS attempts
     FROM ${actionJoins(String(destination))} JOIN person p ON p.id = a.person LEFT JOIN person o ON o.id = a.other
     LEFT JOIN message m ON m.seq = a.message
     LEFT JOIN conversation_delivery cd ON cd.destination = ${destination} AND cd.conversation = m.conversation
     WHERE a.kind = ? AND a.id > ? AND a.is_wanted = 1 AND ${actionState} = ? ORDER BY a.id LIMIT 500`,
  );
  return (kind: ActionKind, state: 'ready' | 'sent'): Iterable<ActionRow> =>
    inPages('id', (after) => select.all(kind, after, state));
}

/** People of whom something is still open at a destination: a message of theirs or to them, or an action with them. */
export function busyPeople(db: Database, destination: number): Set<number> {
  return new Set(
    db
      .prepare<{ destination: number }, number>(
        `WITH open AS (SELECT DISTINCT m.conversation, m.sender FROM message m
           LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
           WHERE m.verdict = 'planned' AND (d.state IS NULL OR d.state IN ('pending', 'sent')))
         SELECT sender FROM open
         UNION SELECT c.person_a FROM open JOIN conversation c ON c.id = open.conversation WHERE c.receiver_type = 'user'
         UNION SELECT c.person_b FROM open JOIN conversation c ON c.id = open.conversation WHERE c.receiver_type = 'user'
         UNION SELECT a.person FROM ${actionJoins('@destination')}
           WHERE a.kind <> 'deactivations' AND a.is_wanted = 1 AND ${actionState} IN ('waiting', 'ready', 'sent')
         UNION SELECT a.other FROM ${actionJoins('@destination')}
           WHERE a.other > 0 AND a.is_wanted = 1 AND ${actionState} IN ('waiting', 'ready', 'sent')`,
      )
      .pluck()
      .all({ destination }),
  );
}

/** State of an action at one destination. */
export type ActionState =
  /** Its message has not arrived yet. */
  | 'waiting'
  | 'ready'
  /** In doubt. */
  | 'sent'
  | 'done'
  | 'existing'
  | 'failed';

/** An action `a` with what a destination said about it (`v`) and about its message (`d`). */
export const actionJoins = (destination: string) =>
  `action a LEFT JOIN action_delivery v ON v.destination = ${destination} AND v.action = a.id
   LEFT JOIN delivery d ON a.message > 0 AND d.destination = ${destination} AND d.message = a.message`;

/**
 * SQL of the state of an action, for those joins. A reaction belongs to the message it was given to: if that message
 * was rolled back, or was lost and sent again, the reaction has to be given again. If a reaction left from another copy
 * of the store, its delivery of the message is not always known: it is looked up.
 */
export const actionState = `CASE
  WHEN a.message > 0 AND d.state = 'failed' THEN 'failed'
  WHEN a.message > 0 AND (d.state IS NULL OR d.state NOT IN ('imported', 'existing')) THEN 'waiting'
  WHEN a.message > 0 AND d.server_id IS NULL THEN 'failed'
  WHEN v.state IS NULL OR v.state = 'pending' OR v.server_id <> d.server_id THEN 'ready'
  ELSE v.state END`;

/** SQL of the code of a failed action, if it failed. */
export const actionCode = `CASE
  WHEN a.message > 0 AND d.state = 'failed' THEN 'message-refused'
  WHEN a.message > 0 AND d.state IN ('imported', 'existing') AND d.server_id IS NULL THEN 'no-server-id'
  ELSE v.code END`;
