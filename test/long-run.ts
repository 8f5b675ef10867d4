/** Whether these are the long proofs, which try everything: `npm test` tries some of it, where all would take seconds. */
export const isLongRun = process.env.CHATFERRY_TEST_LONG === '1';

/** The first cases in `npm test`, all of them in the long proofs: those run each file that imports this. */
export const firstOf = <T>(count: number, cases: readonly T[]): readonly T[] =>
  isLongRun ? cases : cases.slice(0, count);

/** Every so manieth case in `npm test`, beginning with the first; all of them in the long proofs. */
export const everyNth = <T>(nth: number, cases: readonly T[]): readonly T[] =>
  isLongRun ? cases : cases.filter((_, index) => index % nth === 0);
