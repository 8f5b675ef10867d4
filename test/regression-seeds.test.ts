import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type FailedSeed, readFailedSeeds } from './regression-seeds.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const failedSeeds = readFailedSeeds();

describe('the seeds that failed in the nightly', () => {
  it('each name a test file that is there', () => {
    expect(failedSeeds.filter(({ file }) => !existsSync(`${root}/${file}`))).toEqual([]);
  });

  it.each(failedSeeds)('seed $seed of $file > $test', (failed) => {
    const { status, output } = replay(failed);
    expect(output, 'No test has that name now').toMatch(/Tests .*(?:passed|failed)|SKIPPED: /);
    if (failed.failsBecause === undefined) expect(status, output).toBe(0);
    else expect(status, `It passes now: remove "failsBecause" from test/regression-seeds.json`).not.toBe(0);
  });
});

/** As the nightly ran it, alone. */
function replay({ file, test, seed }: FailedSeed): { readonly status: number | null; readonly output: string } {
  const pattern = `^${test.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|CHATFERRY_TEST_)/.test(name)),
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/nightly/vitest.config.ts', file, '-t', pattern],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...env, CHATFERRY_TEST_SEED: String(seed), CHATFERRY_TEST_REPLAY: '1', NO_COLOR: '1' },
    },
  );
  return { status, output: `${stdout}${stderr}` };
}
