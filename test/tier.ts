import 'vitest';

declare module 'vitest' {
  /** Figures that a test reports to the nightly: `it('…', async ({ task }) => { task.meta.figures = { kills } })`. */
  interface TaskMeta {
    /** Printed in the nightly's table, but not checked: durations, memory, how many kills happened to fit. */
    figures?: Readonly<Record<string, number | string>>;
    /** The seed that is being tried, if the test tries several. */
    seed?: number;
  }
}

/** `npm run nightly` tries everything. `npm test` and `.ci/run` try a part of it, always the same. */
export const isNightly = process.env.CHATFERRY_TEST_TIER === 'nightly';

/** One seed that failed before runs again: the rest of what the nightly tries is left out. */
export const isReplay = process.env.CHATFERRY_TEST_REPLAY === '1';

/** How many seeds, kills or points a proof tries. A replay tries the one that failed. */
export const countOf = ({ ci, nightly }: { readonly ci: number; readonly nightly: number }): number =>
  isReplay ? 1 : isNightly ? nightly : ci;

/** A size that proves the same at a tenth. The nightly takes the whole. */
export const tenthOf = (whole: number): number => (isNightly ? whole : Math.ceil(whole / 10));

/** The first cases. The nightly tries all of them. */
export const firstOf = <T>(count: number, cases: readonly T[]): readonly T[] =>
  isNightly ? cases : cases.slice(0, count);

/** Every nth case, beginning with the first. The nightly tries all of them. */
export const everyNth = <T>(nth: number, cases: readonly T[]): readonly T[] =>
  isNightly ? cases : cases.filter((_, index) => index % nth === 0);
