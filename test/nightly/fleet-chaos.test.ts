import { describe, expect, it } from 'vitest';
import { fleetChaos } from '../chaos/fleet/fleet-chaos.ts';
import { describeFleetChaos } from '../chaos/fleet/run.ts';
import { postgresPrograms } from '../requirements.ts';
import { testSeed as seed } from '../seed.ts';

const programs = postgresPrograms();

/** The short form of `npm run chaos -- --fleet`. */
describe.skipIf(programs === null)('a fleet of real processes with a real PostgreSQL', () => {
  it('loses, repeats, reorders and hurries nothing while workers are killed with their disks, stopped, and PostgreSQL crashes', async ({
    task,
  }) => {
    const result = await fleetChaos({
      ...{ seed, kills: 10, stops: 2, crashes: 1, restores: 0, damages: 1, everyMs: 6_000, files: 'bucket' },
      onProgress: () => {},
    });
    const words = describeFleetChaos(result);
    const { claimMs, requestMs, ...others } = result.figures;
    task.meta.figures = { ...others, 'claim p50, ms': claimMs.p50, 'claim max, ms': claimMs.max };
    expect(result.problems, words).toEqual([]);
    expect(Object.values(result.counts), words).toEqual(Object.values(result.counts).map(() => 0));
  });
});
