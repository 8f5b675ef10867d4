import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { DearestFirst } from './dearest-first.ts';
import { RepeatLine } from './repeat-line.ts';

/** Where .ci/run wants the results as JSON, beside what is printed. */
const resultsPath = process.env.CHATFERRY_TEST_RESULTS;
const results: [string, Record<string, unknown>][] = resultsPath ? [['json', { outputFile: resultsPath }]] : [];

/** Fresh for each run, and the same for all of its files: see `test/seed.ts`. */
const seed = process.env.CHATFERRY_TEST_SEED ?? String(Date.now() % 1_000_000_000);

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Tests that try values by a seed, of which `npm test` has tried the same ones each time, and tests of which it has tried some cases. */
const tried = globSync('test/**/*.test.ts', { cwd: root }).filter((path) =>
  /from '(fast-check|.*\/(seed|long-run)\.ts)'/.test(readFileSync(`${root}/${path}`, 'utf8')),
);

/** What proves the promise and takes its time: `npm run test:long`, and part of every `.ci/run`. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts', ...tried],
    env: {
      CHATFERRY_TEST_SEED: seed,
      CHATFERRY_TEST_LONG: '1',
      GROWING_RUNS: process.env.GROWING_RUNS ?? '30',
    },
    globalSetup: [`${root}/test/long/built-program.ts`],
    setupFiles: ['test/set-up.ts'],
    // Files share their process, in which each module is loaded once: see ../../vitest.config.ts.
    isolate: false,
    // Of two cores: there is always one that waits for a clock, a process or a disk.
    maxWorkers: 3,
    sequence: { sequencer: DearestFirst },
    testTimeout: 900_000,
    hookTimeout: 120_000,
    reporters: ['default', new RepeatLine(seed), ...results],
  },
});
