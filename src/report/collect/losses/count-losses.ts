import { readMeta } from '../../../checkpoint/base/meta.ts';
import type { Store } from '../../../checkpoint/base/store.ts';
import { wantedActions } from '../../../checkpoint/delivery/action-counts.ts';
import { countLossPeople, lossConversations } from '../../../checkpoint/reports/losses.ts';
import { countSubSecondTimes } from '../../../checkpoint/reports/report-rows.ts';
import { countRelations } from '../../../checkpoint/staging/actions.ts';
import { IdCounts } from '../../../lib/maps/id-counts.ts';
import type { Rules } from '../../../mapping/rules/rules.ts';
import type { ReportData } from '../../report-data.ts';
import type { Tally } from '../tally.ts';
import { countConversations, type LossCounts, type LossKind } from './loss.ts';
import { lossExample } from './loss-example.ts';
import { messageLosses } from './message-losses.ts';
import { partLosses } from './part-losses.ts';
import { conversationLosses, peopleLosses } from './people-losses.ts';

/** @param about What the report has counted already: orphans, findings by code, files that are copied. */
export function countLosses(
  { db, kept }: Store,
  tally: Tally,
  { orphans, found, media }: Pick<LossCounts, 'orphans' | 'found' | 'media'>,
): LossCounts {
  const people = countLossPeople(db);
  const silentSent = new IdCounts();
  const isSent = (id: number) => (tally.conversations.get(id)?.planned ?? 0) > 0;
  function* conversationsSent() {
    for (const row of lossConversations(db)) {
      if (!isSent(row.id)) continue;
      if (row.receiverType === 'user')
        for (const person of [row.personA, row.personB])
          if (person && !tally.authors.has(person)) silentSent.add(person);
      yield row;
    }
  }
  const conversations = countConversations(conversationsSent());
  return {
    planned: Object.fromEntries(tally.planned),
    skipped: new Map([...tally.skipped].map(([rule, { count }]) => [rule, count])),
    orphans,
    subSecond: kept ? kept.orFound('parts of a second', () => countSubSecondTimes(db)) : countSubSecondTimes(db),
    silentMembers: Number(readMeta(db, 'silentMembers') ?? 0),
    silentPeople: people.total - tally.authors.size - silentSent.size,
    actions: wantedActions(db),
    silentReactions: Number(readMeta(db, 'silentReactions') ?? 0),
    relations: countRelations(db),
    people,
    conversations,
    found,
    media,
  };
}

/** Everything that an export may have and the service cannot hold as such. */
export const lossKinds: readonly LossKind[] = [...messageLosses, ...partLosses, ...peopleLosses, ...conversationLosses];

/**
 * What is lost of an export, most first: how many, and what becomes of each under the rules.
 *
 * @param placeOf Where the message of a `seq` stands in the export.
 */
export function lossesOf(
  counts: LossCounts,
  rules: Rules,
  { tally, placeOf }: { readonly tally: Tally; readonly placeOf: (seq: number) => string },
): ReportData['losses'] {
  return lossKinds
    .filter(({ count }) => count(counts) > 0)
    .map((kind) => {
      const { name, what } = kind;
      const example = lossExample(kind, tally.examples);
      const loss = { name, count: kind.count(counts), what, becomes: kind.becomes(rules, counts) };
      return example === undefined ? loss : { ...loss, example: placeOf(example) };
    })
    .sort((a, b) => b.count - a.count);
}
