import type { Database } from 'better-sqlite3';
import type { ChangeKind, DriftPolicy } from '../../model/change.ts';
import { printPlace } from '../base/message-facts.ts';

/** Changes of one kind that were handled alike. */
export interface DriftGroup {
  readonly kind: ChangeKind;
  readonly policy: DriftPolicy;
  readonly count: number;
  /** Of these, what the latest plan noticed. */
  readonly noticed: number;
}

/** What changed at the source after it was sent to a destination, most first. @param plan Number of the latest plan. */
export function driftGroups(db: Database, destination: number, plan: number): DriftGroup[] {
  return db
    .prepare<[number, number], DriftGroup>(
      `SELECT kind, policy, count(*) AS count, sum(plan = ?) AS noticed FROM drift WHERE destination = ?
       GROUP BY kind, policy ORDER BY count DESC, kind, policy`,
    )
    .all(plan, destination);
}

/** The latest changes of a group: where the message stands, or stood, and its muid. */
export function driftExamples(db: Database, destination: number, max: number) {
  const select = db.prepare<[number, string, string, number], { path: string; place: string; muid: string }>(
    `SELECT f.path, m.place, m.muid FROM drift x JOIN message m ON m.seq = x.message JOIN source_file f ON f.id = m.file
     WHERE x.destination = ? AND x.kind = ? AND x.policy = ? ORDER BY x.id DESC LIMIT ?`,
  );
  return ({ kind, policy }: Pick<DriftGroup, 'kind' | 'policy'>) =>
    select
      .all(destination, kind, policy, max)
      .map(({ path, place, muid }) => ({ location: printPlace(path, place), detail: `message ${muid}` }));
}
