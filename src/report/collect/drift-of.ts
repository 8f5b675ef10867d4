import type { Database } from 'better-sqlite3';
import { type DriftGroup, driftExamples, driftGroups } from '../../checkpoint/reports/drift-groups.ts';
import { countFollowUps } from '../../checkpoint/staging/follow-ups.ts';
import type { ChangeKind } from '../../model/change.ts';
import type { DriftData, FollowUpBooks } from '../render/drift-data.ts';
import { planNumber } from '../../checkpoint/staging/plan-number.ts';

const examplesMax = 3;

/** What a report says of drift and of follow-ups; nothing where there are none. */
export function driftOf(
  db: Database,
  destination: number | null,
): { readonly drift?: DriftData; readonly followUps?: FollowUpBooks } {
  if (destination === null) return {};
  const groups = driftGroups(db, destination, planNumber(db));
  const examplesOf = driftExamples(db, destination, examplesMax);
  const changes = groups.map((group) => {
    const { kind, policy, count } = group;
    return { kind, policy, count, examples: policy === 'ignore' ? [] : examplesOf(group) };
  });
  const { pendingBytes: _, ...sums } = countFollowUps(db, destination);
  const planned = Object.values(sums).reduce((sum, count) => sum + count, 0);
  return {
    ...(groups.length > 0 && {
      drift: { kinds: byKind(groups, 'count'), noticed: byKind(groups, 'noticed'), changes },
    }),
    ...(planned > 0 && { followUps: { planned, ...sums } }),
  };
}

function byKind(groups: readonly DriftGroup[], what: 'count' | 'noticed'): Partial<Record<ChangeKind, number>> {
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const group of groups) if (group[what] > 0) counts[group.kind] = (counts[group.kind] ?? 0) + group[what];
  return counts;
}
