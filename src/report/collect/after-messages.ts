import type { Store } from '../../store/open.ts';
import type { DriftGroup } from '../../store/totals.ts';
import type { ChangeKind } from '../../model/change.ts';
import type { Profile } from '../../service/profiles.ts';
import type { ActionsData, DriftData } from '../report-data.ts';
import type { DeliveryTotals } from '../../model/totals.ts';
import { explain } from './explanations.ts';

/** No destination has this number: nothing was ever sent there. */
export const nowhere = -1;

export function collectActions(
  store: Store,
  destination: number | null,
  profile: Pick<Profile, 'actionsPerMinute'> | undefined,
): { readonly actions?: ActionsData } {
  const counts = store.actions.count(destination ?? nowhere);
  if (counts.length === 0) return {};
  const left = counts.reduce((sum, { pending, unconfirmed }) => sum + pending + unconfirmed, 0);
  const perMinute = profile?.actionsPerMinute;
  return {
    actions: {
      kinds: Object.fromEntries(counts.map(({ kind, waiting: _, ...totals }) => [kind, totals])),
      failed: store.actions.refused(destination ?? nowhere).map((group) => ({
        ...group,
        explanation: explain(group.code).explanation,
      })),
      forecast: { requests: left, minutes: perMinute === undefined ? null : left / perMinute },
    },
  };
}

const examplesMax = 3;

export function collectDrift(
  store: Store,
  destination: number | null,
): { readonly drift?: DriftData; readonly followUps?: DeliveryTotals } {
  if (destination === null) return {};
  const groups = store.totals.driftGroups(destination, store.facts.planNumber());
  const readExamples = (group: DriftGroup) => store.totals.driftExamples(destination, group, examplesMax);
  const changes = groups.map((group) => {
    const { kind, policy, count } = group;
    return { kind, policy, count, examples: policy === 'ignore' ? [] : readExamples(group) };
  });
  const { pendingBytes: _, ...followUps } = store.messages.followUps.count(destination);
  return {
    ...(groups.length > 0 && {
      drift: { kinds: byKind(groups, 'count'), noticed: byKind(groups, 'noticed'), changes },
    }),
    ...(followUps.planned > 0 && { followUps }),
  };
}

function byKind(groups: readonly DriftGroup[], what: 'count' | 'noticed'): Partial<Record<ChangeKind, number>> {
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const group of groups) if (group[what] > 0) counts[group.kind] = (counts[group.kind] ?? 0) + group[what];
  return counts;
}
