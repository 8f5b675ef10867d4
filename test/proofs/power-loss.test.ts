import { describe, expect, it } from 'vitest';
import { allZeros } from '../chaos/disk/ledger.ts';
import { powerLoss } from '../chaos/disk/power-loss.ts';
import { stracePath } from '../requirements.ts';
import { testSeed as seed } from '../seed.ts';
import { countOf } from '../tier.ts';

const strace = stracePath();
const images = countOf({ ci: 10, nightly: 60 });

describe.skipIf(strace === null)('a power cut', () => {
  it('makes nothing forgotten that had left', async ({ task }) => {
    const { runs, kills, requests, scenario, ...found } = await powerLoss({ strace: strace!, images, seed });
    expect(found, `seed ${seed}`).toEqual(allZeros);
    expect({ runs, kills }).toEqual({ runs: images, kills: images });
    task.meta.figures = { images, requests };
  });
});
