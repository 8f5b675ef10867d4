import type { Database } from 'better-sqlite3';
import { settleOrphans } from '../checkpoint/staging/settle-orphans.ts';
import { settleParts } from '../checkpoint/staging/settle-parts.ts';
import { stagePriorities } from '../checkpoint/staging/stage-priorities.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import type { Rules } from '../mapping/rules/rules.ts';
import { unknownNames } from './only.ts';

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
