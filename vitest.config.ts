import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { dearestFirst } from './test/dearest-first.ts';
import { sharedSettings } from './test/vitest-settings.ts';

/** Removed with `node_modules`. */
const compiledFolder = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * The folder for temporary files: one in memory if the machine has a gigabyte to spare there. The tests make thousands of stores, and each
 * waits for the disk at every commit. The proofs and the nightly use a disk.
 */
function temporaryPlace(inMemory = '/dev/shm'): string {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > 2 ** 30 ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const shared = sharedSettings();

/** Six seconds and more each. */
const dearest = [
  'fetch/providers',
  'commands/undo',
  'simulate/simulate',
  'sources/tables/schemas',
  'cli/lost-files',
].map((name) => `test/${name}.test.ts`);

/** `npm test`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/**/*.test.ts'],
    // npm run proofs, npm run nightly
    exclude: [...configDefaults.exclude, 'test/proofs/**', 'test/nightly/**'],
    // Tests about disks use a real one. Processes that tests start compile nothing twice.
    env: { ...shared.env, TMPDIR: temporaryPlace(), CHATFERRY_TEST_DISK: tmpdir(), NODE_COMPILE_CACHE: compiledFolder },
    sequence: { sequencer: dearestFirst(dearest) },
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
