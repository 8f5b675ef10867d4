import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import { countSilentReactions, settleActions } from '../checkpoint/staging/actions.ts';
import { stagePriorities } from '../checkpoint/staging/conversations.ts';
import { closeExportGaps, noteExportGaps } from '../checkpoint/staging/export-window.ts';
import {
  collectWriters,
  countSilentMembers,
  findCollisions,
  settleOrphans,
  settleOutsiders,
  settleParts,
  settleTwins,
} from '../checkpoint/staging/finish-staging.ts';
import { placeFollowUps } from '../checkpoint/staging/follow-ups.ts';
import { UsageError } from '../lib/errors.ts';
import { askWhole } from '../mapping/checks/whole.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import type { Rules } from '../mapping/rules/rules.ts';
import type { ActionKind } from '../model/action.ts';
import type { ExportSpan } from '../model/change.ts';
import type { DriftNotes } from './drift/drift-notes.ts';
import { unknownNames } from './only.ts';

/** The problem under which a further direct conversation of two people is told of. */
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
  db.prepare('DELETE FROM problem WHERE file IS NULL AND code = ?').run(twinCode);
  const note = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (NULL, ?, ?, ?)');
  for (const { sourceId, other } of settleTwins(db)) {
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

/**
 * What rules can only decide once everything is read. Inside the caller's transaction, before it is asked who wrote where.
 *
 * @returns Whether verdicts changed.
 */
export function settleMapping(db: Database, { conversations, messages }: Rules, only: Filter | undefined): boolean {
  const changed = settleOrphans(db, messages.orphans);
  settleParts(db);
  stagePriorities(db, { first: conversations.first, byTime: conversations.order === 'recent' });
  const note = db.prepare(
    `INSERT INTO problem (file, code, reason, place) VALUES (NULL, 'only-matches-nothing', ?, ?)`,
  );
  for (const name of only ? unknownNames(db, only) : []) {
    note.run(`Nothing in the export is called so: "${name}"`, '--only');
  }
  return changed > 0;
}

/** What can only be said of a changing source once everything is read. Inside the caller's transaction. */
export function settleDrift(db: Database, notes: DriftNotes, exportKeeps: ExportSpan = 'everything'): void {
  notes.vanished();
  placeFollowUps(db);
  const knownUpTo = Number(readMeta(db, 'knownUpTo') ?? 0);
  if (exportKeeps === 'recent' && knownUpTo > 0) noteExportGaps(db, knownUpTo);
  closeExportGaps(db);
}
