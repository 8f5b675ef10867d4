import { expect, it } from 'vitest';
import { testSeed } from '../seed.ts';
import { expectFleetsKeepPromise } from '../simulate/fleet/kept-promise.ts';

/** The other half is in a file of its own: each has a core. A failure names its seed. */
const count = 250;

it(`simulateFleet() finds that the promise is kept in ${count} simulations, from seed ${testSeed} on`, async () => {
  const { accidents, takeovers, requests } = await expectFleetsKeepPromise(testSeed, count);
  console.log(
    `${count} fleets from seed ${testSeed} on: ${accidents} accidents, ${takeovers} takeovers, ${requests} requests`,
  );
  // Accidents that hit nobody prove nothing.
  expect(takeovers).toBeGreaterThan(count / 4);
});
