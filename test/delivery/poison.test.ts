import { beforeAll, describe, expect, it } from 'vitest';
import { plannedStore } from './bent-service.ts';
import { furtherMax, harms, sendTo } from './poisoned-service.ts';

describe('a message that no request can carry', () => {
  let small: Awaited<ReturnType<typeof plannedStore>>;
  beforeAll(async () => {
    small = await plannedStore([50, 50]);
  });

  it.each(harms.flatMap((harm) => (['unknown', 'refused'] as const).map((duplicates) => ({ harm, duplicates }))))(
    'costs 19 further requests at most: the service $harm, duplicates $duplicates',
    async ({ harm, duplicates }) => {
      // test/nightly/poison.test.ts goes through all of them.
      for (const place of [0, 1, 25, 49]) {
        const poison = small.muids[place];
        const harmOf = (muid: string) => (muid === poison ? harm : undefined);
        const { imports, report, stopped } = await sendTo(small.store, harmOf, { profile: { duplicates } });
        const context = `place ${place}`;
        expect(stopped, context).toBeUndefined();
        expect(report.books, context).toMatchObject({ refused: 1, imported: 99, present: 0, pending: 0, inDoubt: 0 });
        expect(imports - 2, context).toBeLessThanOrEqual(furtherMax.amongFew);
      }
    },
  );
});
