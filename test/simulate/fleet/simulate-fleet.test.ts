import { describe, expect, it } from 'vitest';
import { kept } from './kept-promise.ts';
import { simulateFleet } from './simulate-fleet.ts';

describe('simulateFleet()', () => {
  /** Workers that are stopped and go on, or killed; a database that fails over; copies that are lost; a grace longer than a lease. */
  it.each([24, 40, 121])('finds that the promise is kept: seed %i', async (seed) => {
    expect(await simulateFleet({ seed })).toMatchObject({ seed, ...kept });
  });

  it.each([
    ['the database says yes to whoever has lost a unit', 'no-fence', 93],
    ['whoever takes over hears nothing of what left', 'no-replay', 58],
    ['requests leave before there is a copy', 'no-first-copy', 2],
  ] as const)('finds messages twice where %s', async (_, broken, seed) => {
    expect((await simulateFleet({ seed, broken })).duplicated).toBeGreaterThan(0);
  });

  it.each([2, 3])('finds that people, groups and members are known to be ours: seed %i', async (seed) => {
    expect(await simulateFleet({ seed, hasDirectory: true })).toMatchObject({ seed, ...kept });
  });

  it('finds people called older than their import if nothing is known of requests since the copy', async () => {
    const { problems } = await simulateFleet({ seed: 2, hasDirectory: true, broken: 'no-replay' });
    expect(problems.join()).toContain('is existing');
  });

  it('finds duplicate messages if lost commits of the database go unnoticed', async () => {
    expect((await simulateFleet({ seed: 180, broken: 'no-loss' })).duplicated).toBeGreaterThan(0);
  });
});
