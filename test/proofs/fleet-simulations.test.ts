import { expect, it } from 'vitest';
import { testSeed } from '../seed.ts';
import { expectFleetsKeepPromise } from '../simulate/fleet/kept-promise.ts';
import { countOf, isReplay } from '../tier.ts';

const count = countOf({ ci: 30, nightly: 300 });

it('simulateFleet() finds that the promise is kept, whatever breaks', async ({ task }) => {
  const sum = await expectFleetsKeepPromise(testSeed, count, (seed) => (task.meta.seed = seed));
  task.meta.figures = { fleets: count, ...sum };
  // The clock is virtual, so a seed decides how many takeovers there are. Without them nothing is proved.
  if (!isReplay) expect(sum.takeovers).toBeGreaterThan(count / 4);
});
