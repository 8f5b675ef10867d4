import { expect, it } from 'vitest';
import { simulateFleet } from '../simulate/fleet/simulate-fleet.ts';

const simulationsCount = 50;

it(`simulateFleet() finds that the promise is kept in ${simulationsCount} simulations`, async () => {
  for (let seed = 1; seed <= simulationsCount; seed++) {
    const { accidents: _, requests: __, ...promised } = await simulateFleet({ seed });
    expect(promised).toEqual({
      ...{ seed, lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0, sideBySide: 0, overQuota: 0 },
      ...{ misstated: 0, unfinished: 0, problems: [] },
    });
  }
});
