import { beforeAll, describe, expect, it } from 'vitest';
import { firstOf } from '../tier.ts';
import { plannedStore } from './altering-service.ts';
import { furtherMax, harms, sendTo } from './service-with-poison.ts';

const combinations = harms.flatMap((harm) =>
  (['unknown', 'refused'] as const).map((duplicates) => ({ harm, duplicates })),
);
// test/nightly/poison.test.ts goes through all of them.
const places = firstOf(2, [0, 49, 1, 25]);

describe('a message that no request can carry', () => {
  let few: Awaited<ReturnType<typeof plannedStore>>;
  let many: Awaited<ReturnType<typeof plannedStore>>;
  beforeAll(async () => {
    few = await plannedStore([50, 50]);
    many = await plannedStore([300]);
  });

  it.each(combinations)(
    'is refused among many others: the service $harm, duplicates $duplicates',
    async ({ harm, duplicates }) => {
      for (const place of firstOf(1, [25, 0])) {
        const poison = many.muids[place];
        const harmOf = (muid: string) => (muid === poison ? harm : undefined);
        const [{ imports, report, stopped }] = await sendTo(many.store, harmOf, { profile: { duplicates } });
        const context = `place ${place}`;
        expect(stopped, context).toBeUndefined();
        expect(report.totals, context).toMatchObject({
          failed: 1,
          imported: 299,
          existing: 0,
          pending: 0,
          unconfirmed: 0,
        });
        expect(imports - 6, context).toBeLessThanOrEqual(furtherMax[harm]);
      }
    },
  );

  it.each(harms)('is refused among many small conversations: the service %s', async (harm) => {
    const { store, muids } = await plannedStore(Array.from({ length: 50 }, () => 20));
    const harmOf = (muid: string) => (muid === muids[985] ? harm : undefined);
    const [{ imports, report, stopped }] = await sendTo(store, harmOf);
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ failed: 1, imported: 999, late: 0, pending: 0, unconfirmed: 0 });
    expect(imports - 20).toBeLessThanOrEqual(furtherMax[harm]);
  });

  it.each(combinations)(
    'is refused among few others if the service answers, and else stays pending until the user decides: the service $harm, duplicates $duplicates',
    async ({ harm, duplicates }) => {
      for (const place of places) {
        const poison = few.muids[place];
        const harmOf = (muid: string) => (muid === poison ? harm : undefined);
        const isDecided = harm !== 'hangs up';
        const decided = { failed: 1, imported: 99, existing: 0, pending: 0, unconfirmed: 0 };
        const undecided = { ...decided, failed: 0, pending: 1 };
        const [first, second] = await sendTo(few.store, harmOf, { profile: { duplicates } });
        const context = `place ${place}`;
        expect(first.stopped?.name, context).toBe(isDecided ? undefined : 'DestinationError');
        expect(first.report.totals, context).toMatchObject(isDecided ? decided : undecided);
        expect(second.stopped, context).toBeUndefined();
        expect(second.report.totals, context).toMatchObject(decided);
      }
    },
  );
});
