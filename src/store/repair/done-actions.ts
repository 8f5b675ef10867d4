import type { Database } from 'better-sqlite3';
import { inPages } from '../base/pages.ts';
import { isPurgedReaction } from './purge-reactions.ts';
import type { ActionKind } from '../../model/action.ts';

/** How many people gave one reaction to a message. */
export interface DoneReaction {
  /** Null for all those together of which it was purged which they are. */
  readonly reaction: string | null;
  readonly count: number;
}

/** Whether any reaction was ever given at a destination. */
export const hasDoneReactions = (db: Database, destination: number): boolean =>
  db
    .prepare(
      `SELECT 1 FROM action_delivery v JOIN action a ON a.id = v.action
       WHERE v.destination = ? AND a.kind = 'reactions' AND v.state IN ('done', 'existing') LIMIT 1`,
    )
    .get(destination) !== undefined;

/**
 * Reads reactions that were given to a message at a destination, whether still wanted or not: none is rolled back.
 * Purged ones come last.
 *
 * @param withDoubtful Also those that are unconfirmed.
 */
export function doneReactionsReader(db: Database, destination: number, { withDoubtful = false } = {}) {
  const states = withDoubtful ? `('done', 'existing', 'sent')` : `('done', 'existing')`;
  const select = db.prepare<[number, string], DoneReaction>(
    `SELECT CASE WHEN ${isPurgedReaction('a')} THEN NULL ELSE a.reaction END AS reaction, count(*) AS count FROM action a
     CROSS JOIN action_delivery v ON v.destination = ${destination} AND v.action = a.id
     WHERE a.message = ? AND a.kind = 'reactions' AND v.state IN ${states} AND v.server_id = ?
     GROUP BY 1 ORDER BY max(${isPurgedReaction('a')})`,
  );
  return (message: number, serverId: string): DoneReaction[] => select.all(message, serverId);
}

/** Uids of people who were deactivated at a destination by runs after this one, some behind another. */
export function* deactivatedUids(db: Database, destination: number, since: number): Generator<string> {
  const select = db.prepare<[number, number, number], { id: number; uid: string }>(
    `SELECT a.id, p.uid FROM action_delivery v JOIN action a ON a.id = v.action JOIN person p ON p.id = a.person
     WHERE v.destination = ? AND v.run > ? AND a.id > ? AND a.kind = 'deactivations' AND v.state IN ('done', 'existing')
     ORDER BY a.id LIMIT 500`,
  );
  const rows = inPages('id', (after) => select.all(destination, since, after));
  for (const { uid } of rows) yield uid;
}

/** How many actions of each kind an undo leaves alone: everything but reactions, which go with their messages. */
export function countStayingActions(db: Database, destination: number): { kind: ActionKind; count: number }[] {
  return db
    .prepare<[number], { kind: ActionKind; count: number }>(
      `SELECT a.kind, count(*) AS count FROM action_delivery v JOIN action a ON a.id = v.action
       WHERE v.destination = ? AND a.kind <> 'reactions' AND v.state IN ('done', 'sent') GROUP BY a.kind ORDER BY a.kind`,
    )
    .all(destination);
}
