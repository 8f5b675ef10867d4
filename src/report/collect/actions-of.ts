import { countActions, refusedActions } from '../../checkpoint/delivery/action-counts.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import type { ActionsData } from '../render/actions-data.ts';
import type { Profile } from '../../service/profiles.ts';
import { explain } from './explanations.ts';

/** No destination has this number: nothing was ever sent there. */
const nowhere = -1;

/** What a report says of actions; nothing where no plan asked for any. */
export function actionsOf(
  { db }: Store,
  destination: number | null,
  profile: Pick<Profile, 'actionsPerMinute'> | undefined,
): { readonly actions?: ActionsData } {
  const counts = countActions(db, destination ?? nowhere);
  if (counts.length === 0) return {};
  const left = counts.reduce((sum, { pending, inDoubt }) => sum + pending + inDoubt, 0);
  const perMinute = profile?.actionsPerMinute;
  return {
    actions: {
      kinds: Object.fromEntries(counts.map(({ kind, waiting: _, ...books }) => [kind, books])),
      refused: refusedActions(db, destination ?? nowhere).map((group) => ({
        ...group,
        explanation: explain(group.code).explanation,
      })),
      forecast: { requests: left, minutes: perMinute === undefined ? null : left / perMinute },
    },
  };
}
