import { defineConfig } from 'vitest/config';

/** Where .ci/run wants the results as JSON, beside what is printed. */
const resultsPath = process.env.CHATFERRY_TEST_RESULTS;

/** What proves the promise and takes its time: `npm run test:long`, and part of every `.ci/run`. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    reporters: resultsPath ? ['default', ['json', { outputFile: resultsPath }]] : ['default'],
  },
});
