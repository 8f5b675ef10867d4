import { readFileSync } from 'node:fs';

/**
 * Seed of all random values in tests. `npm test` and the proofs of `.ci/run` use the number in `test/ci-seed`, so their
 * results are the same each time. `npm run nightly` sets a fresh one in `CHATFERRY_TEST_SEED` and prints it.
 */
export const testSeed = Number(
  process.env.CHATFERRY_TEST_SEED ?? readFileSync(new URL('ci-seed', import.meta.url), 'utf8'),
);
