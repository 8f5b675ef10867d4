import { describe, expect, it } from 'vitest';
import { allZeros } from '../chaos/disk/ledger.ts';
import { sweep } from '../chaos/disk/sweep.ts';
import { stracePath } from '../requirements.ts';
import { testSeed as seed } from '../seed.ts';
import { countOf } from '../tier.ts';

const strace = stracePath();
const points = countOf({ ci: 10, nightly: 60 });

describe.skipIf(strace === null)('a disk that breaks at one call', () => {
  it('loses nothing and sends nothing twice', async ({ task }) => {
    const { runs, kills, requests, scenario, ...found } = await sweep({ strace: strace!, points, seed });
    expect(found, `seed ${seed}`).toEqual(allZeros);
    // Each point is two runs: the one that breaks, and the one that goes on.
    expect(runs).toBe(2 * points);
    task.meta.figures = { points, kills, requests };
  });
});
