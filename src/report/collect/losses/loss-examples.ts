import type { Database } from 'better-sqlite3';
import { messagesWithFacts } from '../../../checkpoint/reports/facts-of-messages.ts';
import type { Facts } from '../../../mapping/message/facts.ts';
import type { LossCounts, LossKind } from './loss.ts';

/** Rows in which examples are looked for: some 20 ms. What is rarer has none. */
const rowsMax = 20_000;

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
});

/** Where the first message stands that has something to lose, for each kind of which there is one. */
export function lossExamples(db: Database, kinds: readonly LossKind[]): ReadonlyMap<LossKind, string> {
  const found = new Map<LossKind, string>();
  const wanted = new Set(kinds);
  if (wanted.size === 0) return found;
  for (const { place, facts } of messagesWithFacts(db, rowsMax)) {
    const counts = alone(JSON.parse(facts) as Facts);
    for (const kind of wanted) {
      if (kind.count(counts) === 0) continue;
      found.set(kind, place);
      wanted.delete(kind);
    }
    if (wanted.size === 0) break;
  }
  return found;
}
