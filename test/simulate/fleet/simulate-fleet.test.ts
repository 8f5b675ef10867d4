import { describe, expect, it } from 'vitest';
import { simulateFleet } from './simulate-fleet.ts';

const kept = {
  ...{ lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0, sideBySide: 0, overQuota: 0, misstated: 0, unfinished: 0 },
  problems: [],
};

describe('simulateFleet()', () => {
  /** Workers that are stopped and go on, or killed; a database that fails over; copies that are lost; a grace longer than a turn. */
  it.each([24, 40, 121])('finds that the promise is kept: seed %i', async (seed) => {
    expect(await simulateFleet({ seed })).toMatchObject({ seed, ...kept });
  });

  it('finds that more leaves than the rate allows where nobody notices that the database lost commits', async () => {
    expect((await simulateFleet({ seed: 112, broken: 'no-loss' })).overQuota).toBeGreaterThan(0);
  });
});
