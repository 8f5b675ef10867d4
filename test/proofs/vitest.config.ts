import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { dearestFirst } from '../dearest-first.ts';
import { sharedSettings } from '../vitest-settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const dearest = [
  'fleet-way',
  'desk/screens',
  'desk/drop',
  'database/kills',
  'desk/slack',
  'package',
  'simulations',
  'fleet-simulations',
  'statement-plans',
].map((name) => `test/proofs/${name}.test.ts`);

/** `npm run proofs`: what needs processes, a disk, a browser or a PostgreSQL, in short. Every `.ci/run` runs it, always with the same seed. */
export default defineConfig({
  test: {
    ...sharedSettings('proofs'),
    root,
    include: ['test/proofs/**/*.test.ts'],
    globalSetup: [`${root}/test/proofs/built-program.ts`],
    // On two cores: one of the three usually waits for a clock, a process or a disk.
    maxWorkers: 3,
    sequence: { sequencer: dearestFirst(dearest) },
    testTimeout: 480_000,
    hookTimeout: 120_000,
  },
});
