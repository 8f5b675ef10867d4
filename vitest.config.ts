import { configDefaults, defineConfig } from 'vitest/config';

/** Where .ci/run wants the results as JSON, beside what is printed. */
const resultsPath = process.env.CHATFERRY_TEST_RESULTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // npm run test:long
    exclude: [...configDefaults.exclude, 'test/long/**'],
    setupFiles: ['test/set-up.ts'],
    // Files share their process, in which each module is loaded once: half of the time. What they must not share ends in set-up.ts.
    isolate: false,
    // Two cores: the process tests start real child processes and need their share.
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    reporters: resultsPath ? ['default', ['json', { outputFile: resultsPath }]] : ['default'],
  },
});
