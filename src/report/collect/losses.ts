import type { Rules } from '../../mapping/rules/rules.ts';
import type { ReportData } from '../report-data.ts';
import { conversationLosses } from './losses/conversation-losses.ts';
import type { LossCounts, LossKind } from './losses/loss.ts';
import { messageLosses } from './losses/message-losses.ts';
import { peopleLosses } from './losses/people-losses.ts';

/** Everything that an export may have and the service cannot hold as such. */
export const lossKinds: readonly LossKind[] = [...messageLosses, ...peopleLosses, ...conversationLosses];

/** What is lost of an export, most first: how many, and what becomes of each under the rules. */
export function lossesOf(counts: LossCounts, rules: Rules): ReportData['losses'] {
  return lossKinds
    .map(({ name, what, count, becomes }) => ({ name, count: count(counts), what, becomes: becomes(rules, counts) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
