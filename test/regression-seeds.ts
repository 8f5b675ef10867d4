import { readFileSync, writeFileSync } from 'node:fs';

/** A seed with which a test failed in the nightly. `npm test` repeats it from then on. */
export interface FailedSeed {
  /** From the top of the checkout. */
  readonly file: string;
  /** The test's whole name, its describes before it, separated by ` > `. */
  readonly test: string;
  readonly seed: number;
  /** Why it is kept while it still fails. `npm test` then expects the failure, and says when it no longer comes. */
  readonly failsBecause?: string;
}

const path = new URL('regression-seeds.json', import.meta.url);

export const readFailedSeeds = (): FailedSeed[] => JSON.parse(readFileSync(path, 'utf8')) as FailedSeed[];

/** Adds those that are not there yet. */
export function addFailedSeeds(found: readonly FailedSeed[]): void {
  const known = readFailedSeeds();
  const isKnown = (one: FailedSeed) =>
    known.some(({ file, test, seed }) => file === one.file && test === one.test && seed === one.seed);
  const added = found.filter((one) => !isKnown(one));
  if (added.length > 0) writeFileSync(path, `${JSON.stringify([...known, ...added], null, 2)}\n`);
}
