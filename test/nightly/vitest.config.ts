import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isReplay } from '../tier.ts';
import { sharedSettings } from '../vitest-settings.ts';
import { dearestFirst } from '../dearest-first.ts';
import { NightlyReporter } from './nightly-reporter.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tests of `npm test` that have more to try: values from a fresh seed, or cases that it leaves out. */
const withMoreToTry = globSync('test/**/*.test.ts', { cwd: root }).filter((path) =>
  /from '(fast-check|.*\/(seed|tier|long-text)\.ts)'/.test(readFileSync(`${root}/${path}`, 'utf8')),
);

/** Fresh for each run, and the same for all of its files. */
const seed = process.env.CHATFERRY_TEST_SEED ?? String(Date.now() % 1_000_000_000);

const shared = sharedSettings('nightly');

/** The first two mostly wait, each for minutes. */
const dearest = [
  'nightly/pace-real',
  'nightly/fleet-chaos',
  'proofs/fleet-simulations',
  'proofs/simulations',
  'nightly/month',
  'nightly/mutations',
  'nightly/mutation',
  'nightly/memory',
  'nightly/killed',
  'proofs/kills',
  'proofs/write-sweep',
  'proofs/power-loss',
].map((name) => `test/${name}.test.ts`);

/** The tests of `npm run nightly`. */
export default defineConfig({
  test: {
    ...shared,
    root,
    include: ['test/nightly/**/*.test.ts', 'test/proofs/**/*.test.ts', ...withMoreToTry],
    env: { ...shared.env, CHATFERRY_TEST_SEED: seed, GROWING_RUNS: process.env.GROWING_RUNS ?? '30' },
    // A replay runs one test, and building the program would take most of its time.
    globalSetup: isReplay ? [] : [`${root}/test/proofs/built-program.ts`],
    // On two cores: one of the three usually waits for a clock, a process or a disk.
    maxWorkers: 3,
    sequence: { sequencer: dearestFirst(dearest) },
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    reporters: [...shared.reporters, new NightlyReporter(seed, root)],
  },
});
