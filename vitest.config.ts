import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Where .ci/run wants the results as JSON, beside what is printed. */
const resultsPath = process.env.CHATFERRY_TEST_RESULTS;

/** Removed with `node_modules`. */
const compiledFolder = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * Where temporary files go: a place in memory where the machine has one with a gigabyte to spare. Thousands of stores are made here, each of
 * which waits for the disk at every commit; what the disk itself does is for the long proofs.
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

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // npm run test:long
    exclude: [...configDefaults.exclude, 'test/long/**'],
    setupFiles: ['test/set-up.ts'],
    // What is said of disks is tried on one. Threads and processes that tests start compile nothing twice.
    env: { TMPDIR: temporaryPlace(), CHATFERRY_TEST_DISK: tmpdir(), NODE_COMPILE_CACHE: compiledFolder },
    // Files share their process, in which each module is loaded once: half of the time. What they must not share ends in set-up.ts.
    isolate: false,
    // Two cores: the process tests start real child processes and need their share.
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    reporters: resultsPath ? ['default', ['json', { outputFile: resultsPath }]] : ['default'],
  },
});
