/** Results of tests, as Vitest's JSON reporter writes them. */
import { readFileSync } from 'node:fs';

export interface TestResults {
  readonly testResults: readonly FileResults[];
}

export interface FileResults {
  /** Absolute path. */
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
    /** Values that the test reported: see `TaskMeta` in test/tier.ts. */
    readonly meta?: { readonly figures?: Readonly<Record<string, number | string>> };
  }[];
}

export const readTestResults = (path: string): TestResults => JSON.parse(readFileSync(path, 'utf8')) as TestResults;

/** From the top of the checkout, whichever checkout it was. */
export const pathOf = (name: string): string => name.replace(/^.*?\/(?=test\/)/, '');

/** The same in every checkout. Tests of one file may share a name. @param name Titles joined by ` > `. */
export const testKey = (file: string, name: string): string => JSON.stringify([pathOf(file), name]);

/** How many tests of each key passed. */
export function passedTests(path: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name, assertionResults } of readTestResults(path).testResults)
    for (const { status, ancestorTitles, title } of assertionResults) {
      const key = testKey(name, [...ancestorTitles, title].join(' > '));
      if (status === 'passed') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}
