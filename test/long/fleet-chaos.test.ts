import { describe, expect, it } from 'vitest';
import { fleetChaos } from '../chaos/fleet/fleet-chaos.ts';
import { describeFleetChaos } from '../chaos/fleet/run.ts';
import { postgresPrograms } from '../requirements.ts';
import { testSeed as seed } from '../seed.ts';

const programs = postgresPrograms();

/** The short form of `npm run chaos -- --fleet`. `CHATFERRY_TEST_SEED` begins again with a seed that a failure printed. */
describe.skipIf(programs === null)('a fleet of real processes with a real PostgreSQL', () => {
  it('loses, repeats, reorders and hurries nothing while workers are killed with their disks, stopped, and PostgreSQL crashes', async () => {
    const result = await fleetChaos({
      ...{ seed, kills: 10, stops: 2, crashes: 1, restores: 0, damages: 1, everyMs: 6_000, files: 'bucket' },
      onProgress: () => {},
    });
    const words = describeFleetChaos(result);
    console.log(words);
    expect(result.problems, words).toEqual([]);
    expect(Object.values(result.counts), words).toEqual(Object.values(result.counts).map(() => 0));
    expect(result.figures.takeovers, words).toBeGreaterThan(0);
  });
});
