import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allZeros } from '../chaos/disk/ledger.ts';
import { powerLoss } from '../chaos/disk/power-loss.ts';
import { stracePath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

/** A failure prints the seed; `CHATFERRY_TEST_SEED` cuts the power at the same instants of a run that is much the same. */
const strace = stracePath();
const home = temporaryFolder();

/** Commits are not flushed, and the program is told that they are. */
const unflushed = `import Database from ${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))};
const { pragma } = Database.prototype;
Database.prototype.pragma = function (text, options) {
  if (text.startsWith('synchronous =')) this.wanted = text.endsWith('FULL') ? 2 : 1;
  if (text === 'synchronous = FULL') return pragma.call(this, 'synchronous = NORMAL', options);
  return text === 'synchronous' ? this.wanted : pragma.call(this, text, options);
};`;

describe.skipIf(strace === null)('a power cut', () => {
  it('makes nothing forgotten that had left: 30 images of a disk', async () => {
    const ledger = await powerLoss({ strace: strace!, images: 30, seed });
    console.log(JSON.stringify(ledger));
    expect(ledger, `seed ${seed}`).toMatchObject({ runs: 30, kills: 30, ...allZeros });
  });

  it('is noticed by this test where commits are not flushed', async () => {
    const preload = join(home.path, 'unflushed.mjs');
    writeFileSync(preload, unflushed);
    const { problems } = await powerLoss({ strace: strace!, images: 20, seed, preload });
    expect(problems.filter((problem) => problem.includes('the store forgot')).length, `seed ${seed}`).toBeGreaterThan(
      2,
    );
  });
});
