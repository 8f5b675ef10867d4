import { wantedActions } from '../../../checkpoint/delivery/action-counts.ts';
import { lossConversations } from '../../../checkpoint/reports/loss-conversations.ts';
import { countLossPeople } from '../../../checkpoint/reports/loss-people.ts';
import { readMeta } from '../../../checkpoint/base/meta.ts';
import { countRelations } from '../../../checkpoint/staging/relations.ts';
import { countSubSecondTimes } from '../../../checkpoint/reports/report-rows.ts';
import type { Store } from '../../../checkpoint/base/store.ts';
import type { Tally } from '../tally.ts';
import { countConversations } from './count-conversations.ts';
import type { LossCounts } from './loss.ts';

/** @param about What the report has counted already: orphans, and findings by code. */
export function countLosses(
  { db }: Store,
  tally: Tally,
  { orphans, found }: Pick<LossCounts, 'orphans' | 'found'>,
): LossCounts {
  const people = countLossPeople(db);
  const sent = new Set(tally.authors.keys());
  const isSent = (id: number) => (tally.conversations.get(id)?.planned ?? 0) > 0;
  function* conversationsSent() {
    for (const row of lossConversations(db)) {
      if (!isSent(row.id)) continue;
      if (row.receiverType === 'user') for (const person of [row.personA, row.personB]) if (person) sent.add(person);
      yield row;
    }
  }
  const conversations = countConversations(conversationsSent());
  return {
    planned: Object.fromEntries(tally.planned),
    skipped: new Map([...tally.skipped].map(([rule, { count }]) => [rule, count])),
    orphans,
    subSecond: countSubSecondTimes(db),
    silentMembers: Number(readMeta(db, 'silentMembers') ?? 0),
    silentPeople: people.total - sent.size,
    actions: wantedActions(db),
    silentReactions: Number(readMeta(db, 'silentReactions') ?? 0),
    relations: countRelations(db),
    people,
    conversations,
    found,
  };
}
