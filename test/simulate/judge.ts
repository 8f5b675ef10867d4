import type { ArrivedMessage } from '../../src/sandbox/book.ts';
import { compare } from '../../src/selftest/steps/compare.ts';
import { judgeArrivals } from './directory.ts';
import { foreignText } from './foreign.ts';
import type { Ledger } from './ledger.ts';
import type { Migration } from './migration.ts';
import type { Schedule } from './schedule.ts';
import { idsIn, lateIds } from './store-facts.ts';
import type { Template } from './template.ts';

/** Permitted outcomes of messages other than to arrive once and in order. */
export interface SentBatch extends Pick<Schedule, 'details' | 'lives' | 'plan'> {
  /** The service refuses messages on its own. These are not lost if the store records them. */
  readonly mayRefuse: boolean;
  readonly mayBeLate: boolean;
  /** Ids, in the export, of those that no request can carry: these are refused, and no other. */
  readonly poisoned: ReadonlySet<string> | undefined;
}

/**
 * Compares the expected messages, from the generator of the export, with the contents of the sandbox, from its own
 * tables; and compares the store's record with both.
 *
 * @param isDone whether the migration came to an end.
 */
export async function judge(
  migration: Migration,
  { expected, arrivals }: Template,
  isDone: boolean,
  sent: SentBatch,
): Promise<Omit<Ledger, 'seed' | 'scenario'>> {
  const { mayRefuse, mayBeLate, poisoned } = sent;
  await migration.settle();
  const arrived = arrivedAt(migration);
  const { lost, duplicated, unexpected, outOfOrder, examples } = compare(expected, arrived, migration.late);
  const { db } = migration.store;
  const texts = new Set(arrived.map(({ text }) => text));
  const isThere = new Map(expected.map(({ id, text }) => [id, texts.has(text)]));
  const failed = idsIn(db, 'failed');
  const failedAndThere = failed.filter((id) => isThere.get(id));
  const goodAndGone = idsIn(db, 'imported', 'existing').filter((id) => !isThere.get(id));
  const lateWithoutCause = mayBeLate ? [] : [...migration.late];
  const misstated = [
    ...migration.complaints,
    ...failedAndThere.map((id) => `"${id}" is there, and the store says that it failed`),
    ...goodAndGone.map((id) => `"${id}" is not there, and the store says that it is`),
    ...failed.filter((id) => poisoned?.has(id) === false).map((id) => `"${id}" failed, and others are to blame`),
    ...judgeArrivals(migration, arrivals, isDone, sent),
    ...lateWithoutCause.map((id) => `"${id}" is called late without a cause`),
    ...(isDone ? await verifiedOtherwise(migration, { there: texts.size, duplicated, outOfOrder }) : []),
  ];
  const isHung = !isDone;
  const named = mayRefuse ? failed.length - failedAndThere.length : 0;
  const lostWithoutWord = lost - named;
  const found = lostWithoutWord > 0 ? examples : examples.filter((example) => !example.startsWith('lost'));
  return {
    kills: migration.kills,
    requests: migration.requests,
    lost: lostWithoutWord,
    duplicated,
    unexpected,
    outOfOrder,
    unconfirmed: migration.totals().unconfirmed,
    misstated: misstated.length,
    hung: isHung ? 1 : 0,
    problems: [...found, ...misstated, ...(isHung ? ['came to no end'] : [])],
  };
}

/** Returns Chatferry's messages in the sandbox, in the order of arrival. */
function arrivedAt({ sandboxStore }: Migration): ArrivedMessage[] {
  return sandboxStore.db
    .prepare<[string], ArrivedMessage>(
      `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text
       FROM message m JOIN conversation c ON c.id = m.conversation WHERE text NOT LIKE ? || '%' ORDER BY m.id`,
    )
    .all(foreignText);
}

/**
 * Returns complaints if reading back does not find exactly the stored messages. A message is different if it is out of
 * order, or if only another copy of the store knew why.
 */
async function verifiedOtherwise(
  migration: Migration,
  { there, duplicated, outOfOrder }: { there: number; duplicated: number; outOfOrder: number },
): Promise<string[]> {
  const { found, says } = await migration.verify();
  const lateHere = new Set(lateIds(migration.store.db));
  const lateElsewhere = [...migration.late].filter((id) => !lateHere.has(id)).length;
  const isRight =
    found.missing === 0 &&
    found.extra === 0 &&
    found.duplicated === duplicated &&
    found.same + found.different === there &&
    (found.different <= lateElsewhere || outOfOrder > 0);
  const differs = found.missing + found.extra + found.different + found.duplicated > 0;
  const wrongWord = (says === 'verified') === differs ? [`the store says "${says}" of ${JSON.stringify(found)}`] : [];
  if (isRight) return wrongWord;
  return [
    ...wrongWord,
    `verify found ${JSON.stringify(found)} where ${there} messages and ${duplicated} copies are there`,
  ];
}
