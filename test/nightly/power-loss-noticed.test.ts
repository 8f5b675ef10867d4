import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { powerLoss } from '../chaos/disk/power-loss.ts';
import { stracePath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

const strace = stracePath();
const home = temporaryFolder();

/** Breaks the program: it does not flush its commits, and believes that it does. */
const unflushed = `import Database from ${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))};
const { pragma } = Database.prototype;
Database.prototype.pragma = function (text, options) {
  if (text.startsWith('synchronous =')) this.wanted = text.endsWith('FULL') ? 2 : 1;
  if (text === 'synchronous = FULL') return pragma.call(this, 'synchronous = NORMAL', options);
  return text === 'synchronous' ? this.wanted : pragma.call(this, text, options);
};`;

describe.skipIf(strace === null)('a power cut', () => {
  it('is noticed by the proof if commits are not flushed', async ({ task }) => {
    const preload = join(home.path, 'unflushed.mjs');
    writeFileSync(preload, unflushed);
    const { problems } = await powerLoss({ strace: strace!, images: 20, seed, preload });
    const forgotten = problems.filter((problem) => problem.includes('the store forgot'));
    task.meta.figures = { images: 20, forgotten: forgotten.length };
    expect(forgotten, `seed ${seed}`).not.toEqual([]);
  });
});
