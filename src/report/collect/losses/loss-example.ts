import type { Facts } from '../../../mapping/message/facts.ts';
import type { LossCounts, LossKind } from './loss.ts';

/** Counts of a plan that is one message. */
const alone = (planned: Facts): LossCounts => ({
  planned,
  skipped: new Map(),
  orphans: 0,
  subSecond: 0,
  silentMembers: 0,
  silentPeople: 0,
  actions: {},
  silentReactions: 0,
  relations: { block: 0, friend: 0 },
  people: { total: 0, officers: 0, guests: 0, deleted: 0, placeholders: 0, emails: 0, handles: 0 },
  conversations: { archived: 0, directAsGroup: 0, groupDirect: 0, creatorsLost: 0, topicsLost: 0, directDetails: 0 },
  found: new Map(),
  media: undefined,
});

/**
 * `seq` of the first planned message that loses something of this kind; undefined where it is nothing that a message carries.
 *
 * @param firsts By fact, `seq` of the first planned message that has it.
 */
export function lossExample(kind: LossKind, firsts: ReadonlyMap<string, number>): number | undefined {
  const seqs = [...firsts].flatMap(([fact, seq]) => (kind.count(alone({ [fact]: 1 })) > 0 ? [seq] : []));
  return seqs.length === 0 ? undefined : Math.min(...seqs);
}
