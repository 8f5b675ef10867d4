import type { Database } from 'better-sqlite3';
import { askWhole } from '../mapping/checks/whole.ts';
import {
  collectWriters,
  countSilentMembers,
  findCollisions,
  settleOutsiders,
  settleTwins,
} from '../checkpoint/staging/finish-staging.ts';
import { writeMeta } from '../checkpoint/base/meta.ts';
import { countSilentReactions, settleActions } from '../checkpoint/staging/settle-actions.ts';
import { UsageError } from '../lib/errors.ts';
import type { Rules } from '../mapping/rules/rules.ts';
import type { ActionKind } from '../model/action.ts';

/** The problem under which a further direct conversation of two people is told of, until it is described anew. */
export const twinCode = 'direct-as-group';

export interface SettleOptions {
  readonly actions: readonly ActionKind[];
  /** Whether a filter leaves messages out. */
  readonly isFiltered: boolean;
  /** Called before an error: what was read is kept. */
  keep(): void;
}

/**
 * What follows from who wrote where, once everything is read that a plan has to read: it goes through the messages several times.
 *
 * @returns Whether verdicts changed.
 * @throws UsageError if two people, or two conversations, would become one at the destination.
 */
export function settleRead(
  db: Database,
  { conversations }: Rules,
  { actions, isFiltered, keep }: SettleOptions,
): boolean {
  collectWriters(db);
  const rejectedCount = settleOutsiders(db, conversations.outsiders);
  noteTwins(db);
  writeMeta(db, 'silentMembers', String(countSilentMembers(db)));
  askWhole(db);
  settleActions(db, actions, isFiltered);
  writeMeta(db, 'silentReactions', String(countSilentReactions(db)));
  const collision = findCollisions(db)[0];
  if (collision) {
    // With another mapping that names them apart, or without.
    keep();
    throw collided(collision);
  }
  return rejectedCount > 0;
}

function noteTwins(db: Database): void {
  const forget = db.prepare('DELETE FROM problem WHERE file IS NULL AND code = ? AND place = ?');
  const note = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (NULL, ?, ?, ?)');
  for (const { sourceId, other } of settleTwins(db)) {
    forget.run(twinCode, sourceId);
    note.run(twinCode, `"${sourceId}" has the same two people as the direct conversation "${other}"`, sourceId);
  }
}

function collided({ kind, id, sourceIds }: ReturnType<typeof findCollisions>[number]): UsageError {
  const [what, key] = kind === 'uid' ? ['people', 'people.uids'] : ['conversations', 'conversations.guids'];
  return new UsageError(
    `Cannot plan: the ${what} ${sourceIds.map((sourceId) => `"${sourceId}"`).join(' and ')} would all become ${kind} "${id}"`,
    { hint: `Give one of them another ${kind} under ${key} in the mapping` },
  );
}
