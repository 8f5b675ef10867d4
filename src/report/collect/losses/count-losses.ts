import type { Store } from '../../../store/open.ts';
import { IdCounts } from '../../../lib/maps/id-counts.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Rules } from '../../../mapping/rules.ts';
import type { ReportData } from '../../report-data.ts';
import type { Tally } from '../../tally.ts';
import { countConversations, type LossCounts, type LossKind } from './loss.ts';
import { messageLosses } from './message-losses.ts';
import { partLosses } from './part-losses.ts';
import { conversationLosses, peopleLosses } from './people-losses.ts';

/** @param about What the report has counted already: orphans, findings by code, files that are copied. */
export function countLosses(
  store: Store,
  tally: Tally,
  { orphans, found, media }: Pick<LossCounts, 'orphans' | 'found' | 'media'>,
): LossCounts {
  const people = store.totals.countLossPeople();
  const silentSent = new IdCounts();
  const isSent = (id: number) => (tally.conversations.get(id)?.planned ?? 0) > 0;
  function* conversationsSent() {
    for (const row of store.totals.lossConversations()) {
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
    subSecond: store.totals.countSubSecondTimes(),
    silentMembers: Number(store.facts.read('silentMembers') ?? 0),
    silentPeople: people.total - tally.authors.size - silentSent.size,
    actions: store.actions.countWanted(),
    silentReactions: Number(store.facts.read('silentReactions') ?? 0),
    relations: store.actions.countRelations(),
    people,
    conversations,
    found,
    media,
  };
}

/** Everything that an export may have and the service cannot hold as such. */
export const lossKinds: readonly LossKind[] = [...messageLosses, ...partLosses, ...peopleLosses, ...conversationLosses];

/**
 * Returns the losses of an export, most first: how many, and what becomes of each under the rules.
 *
 * @param placeOf Returns the location in the export of the message with a `seq`.
 */
export function listLosses(
  counts: LossCounts,
  rules: Rules,
  { tally, locate: placeOf }: { readonly tally: Tally; readonly locate: (seq: number) => string },
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
 * Returns the `seq` of the first planned message that loses something of this kind; undefined if the loss is not in the
 * content of messages.
 *
 * @param firsts For each fact, the `seq` of the first planned message that has it.
 */
export function lossExample(kind: LossKind, firsts: ReadonlyMap<string, number>): number | undefined {
  const seqs = [...firsts].flatMap(([fact, seq]) => (kind.count(alone({ [fact]: 1 })) > 0 ? [seq] : []));
  return seqs.length === 0 ? undefined : Math.min(...seqs);
}
