import type { Database } from 'better-sqlite3';
import { actionCode, actionJoins, actionState } from '../delivery/action-state.ts';
import { destinationIds } from '../base/destinations.ts';
import { isForgottenReaction } from '../repair/forget-reactions.ts';

/** A reaction that was to be replayed, and what became of it at one destination. */
export interface ReactionStory {
  readonly uid: string;
  readonly reaction: string;
  /** Null where nothing was sent anywhere yet. */
  readonly destination: string | null;
  /** `pending`, `in doubt`, `done`, `present`, `refused`; `withdrawn`: the export does not have it any more. */
  readonly state: string;
  readonly code: string | null;
  readonly detail: string | null;
}

/** So many are shown of a message. */
const shownMax = 100;

const shownReaction = `CASE WHEN ${isForgottenReaction('a')} THEN '(forgotten)' ELSE a.reaction END AS reaction`;

/** Reactions of a message, by its number, at every destination that the store knows. */
export function reactionStories(db: Database): (message: number) => ReactionStory[] {
  const statements = destinationIds(db).map((id) =>
    db.prepare<[number], ReactionStory>(
      `SELECT p.uid, ${shownReaction}, t.name AS destination, CASE WHEN a.is_wanted = 0 THEN 'withdrawn'
         ELSE replace(replace(replace(${actionState}, 'waiting', 'pending'), 'ready', 'pending'), 'sent', 'in doubt') END AS state,
         ${actionCode} AS code, v.detail
       FROM ${actionJoins(String(id))} JOIN person p ON p.id = a.person JOIN destination t ON t.id = ${id}
       WHERE a.message = ? AND a.kind = 'reactions' ORDER BY a.id LIMIT ${shownMax}`,
    ),
  );
  const planned = db.prepare<[number], ReactionStory>(
    `SELECT p.uid, ${shownReaction}, NULL AS destination, 'pending' AS state, NULL AS code, NULL AS detail
     FROM action a JOIN person p ON p.id = a.person WHERE a.message = ? AND a.kind = 'reactions' ORDER BY a.id LIMIT ${shownMax}`,
  );
  return (message) =>
    statements.length === 0 ? planned.all(message) : statements.flatMap((statement) => statement.all(message));
}
