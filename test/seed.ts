/**
 * Where everything random in a test begins. The same in every `npm test`, so that a first run in somebody's clone tries nothing that
 * was not tried before; another one in each run of the long proofs, which print it. `CHATFERRY_TEST_SEED` begins again with one.
 */
export const testSeed = Number(process.env.CHATFERRY_TEST_SEED ?? 1);
