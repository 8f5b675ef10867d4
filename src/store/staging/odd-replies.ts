import type { Database } from 'better-sqlite3';
import type { RowCounts } from './row-counts.ts';
import { Facts } from '../facts.ts';

/** Key of the cached count of replies without a root: a report that counts them again takes a tenth of the time of a small plan. */
const countKey = 'orphanReplies';

/**
 * A temporary table of replies whose root is missing (null), and of those that are planned and whose root is not sent, itself
 * a reply, or later than they are. Several checks ask about those, and reports: looking up the root of every reply once takes
 * as long as all the rest of them.
 *
 * @param counts Where every row is as they counted it.
 */
export function collectOddReplies(db: Database, counts?: RowCounts): void {
  const isAny = counts?.hasReplies ?? true;
  db.exec(`DROP TABLE IF EXISTS temp.odd_reply;
    CREATE TEMP TABLE odd_reply AS SELECT m.seq AS reply, r.seq AS root, m.verdict = 'planned' AS is_planned
    FROM message m LEFT JOIN message r ON r.muid = m.root_muid AND r.verdict <> 'duplicate'
    WHERE ${isAny} AND m.root_muid IS NOT NULL AND m.verdict <> 'duplicate' AND (r.seq IS NULL OR m.verdict = 'planned'
      AND (r.verdict <> 'planned' OR r.root_muid IS NOT NULL OR m.sent_at < r.sent_at))`);
  const orphans = db
    .prepare<[], OrphanCounts>(
      'SELECT count(*) AS read, coalesce(sum(is_planned), 0) AS planned FROM temp.odd_reply WHERE root IS NULL',
    )
    .get()!;
  new Facts(db).write(countKey, JSON.stringify(orphans));
}

/** Replies whose thread root the export does not have. */
export interface OrphanCounts {
  readonly read: number;
  readonly planned: number;
}

/** As the latest plan that read something counted them. None while a first plan reads: their roots may still come. */
export const countOrphanReplies = (db: Database): OrphanCounts =>
  JSON.parse(new Facts(db).read(countKey) ?? '{"read":0,"planned":0}') as OrphanCounts;
