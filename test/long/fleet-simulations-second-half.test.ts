import { expect, it } from 'vitest';
import { expectFleetsKeepPromise } from '../simulate/fleet/kept-promise.ts';

/** The first half is in a file of its own: each has a core. A failure names its seed. */
const count = 250;
const firstSeed = 251;

it(`simulateFleet() finds that the promise is kept in ${count} simulations, from seed ${firstSeed} on`, async () => {
  const { accidents, takeovers, requests } = await expectFleetsKeepPromise(firstSeed, count);
  console.log(
    `${count} fleets from seed ${firstSeed} on: ${accidents} accidents, ${takeovers} takeovers, ${requests} requests`,
  );
  // Accidents that hit nobody prove nothing.
  expect(takeovers).toBeGreaterThan(count / 4);
});
