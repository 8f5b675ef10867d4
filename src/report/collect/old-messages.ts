import type { Store } from '../../store/open.ts';
import { keptFromMs, isRetentionKnown, type Profile, usualRetentionDays } from '../../service/profiles.ts';
import { isSandbox, type ReportData } from '../report-data.ts';
import type { Tally } from '../tally.ts';

const dayMs = 86_400_000;

/**
 * Returns how many messages are older than the hosted service keeps them, if it is not known how long the destination
 * keeps them. At the sandbox, where everything is a rehearsal, counts all planned messages; elsewhere those that are to
 * be sent.
 */
export function oldMessages(
  store: Store,
  { days }: Tally,
  { id, name, profile }: { readonly id: number | null; readonly name: string; readonly profile: Profile },
  nowMs: number,
): ReportData['oldMessages'] {
  if (isRetentionKnown(profile) || store.facts.read('retentionSaid') === 'yes') return undefined;
  const beforeMs = keptFromMs(nowMs, usualRetentionDays);
  const lastDay = Math.floor(beforeMs / dayMs);
  const isRehearsal = isSandbox({ name });
  const ofLastDay = { destination: isRehearsal ? null : id, fromMs: lastDay * dayMs, beforeMs };
  let count = store.totals.pendingBefore(ofLastDay).count;
  for (const [day, { planned, pending }] of days) if (day < lastDay) count += isRehearsal ? planned : pending;
  return count === 0 ? undefined : { days: usualRetentionDays, count };
}
