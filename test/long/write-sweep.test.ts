import { describe, expect, it } from 'vitest';
import { allZeros } from '../chaos/disk/ledger.ts';
import { sweep } from '../chaos/disk/sweep.ts';
import { stracePath } from '../requirements.ts';
import { testSeed as seed } from '../seed.ts';

/** A failure prints the seed; `CHATFERRY_TEST_SEED` breaks the same calls again. */
const strace = stracePath();

describe.skipIf(strace === null)('a disk that breaks at one call', () => {
  it('loses nothing and sends nothing twice: 40 calls of a run of 200 messages', async () => {
    const ledger = await sweep({ strace: strace!, points: 40, seed });
    console.log(JSON.stringify(ledger));
    expect(ledger, `seed ${seed}`).toMatchObject({ runs: 80, ...allZeros });
    expect(ledger.kills).toBeGreaterThanOrEqual(10);
  });
});
