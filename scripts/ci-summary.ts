/**
 * The end of .ci/run: why each step failed, the figures, which are not checked, and the last line, `1234 passed, 0 failed, 2 skipped`.
 *
 * `node scripts/ci-summary.ts FOLDER`: `FOLDER/steps.tsv` has a line for each step: its name, its exit code, the file with its output, and
 * the file into which Vitest's JSON reporter wrote, if it runs tests, separated by tabs. Each test counts once, however many steps ran it,
 * and each other step counts as one. Exit code 1 if anything failed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { pathOf, readTestResults, type TestResults } from './test-results.ts';

interface Step {
  readonly name: string;
  readonly hasFailed: boolean;
  /** Null if the step runs no tests; undefined if its tests broke off. */
  readonly results: TestResults | null | undefined;
  readonly printed: string;
}

/** Limits on what is shown of a failed step. */
const shownChars = 200;
const shownFailures = 15;
const shownLines = 12;

function readSteps(folder: string): Step[] {
  const lines = readFileSync(join(folder, 'steps.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', code, log = '', results] = line.split('\t');
    return {
      name,
      hasFailed: code !== '0',
      results: results ? resultsIn(results) : null,
      printed: stripVTControlCharacters(readFileSync(log, 'utf8')),
    };
  });
}

function resultsIn(path: string): TestResults | undefined {
  try {
    return readTestResults(path);
  } catch {
    return undefined;
  }
}

/** `file > test: why`. A file that could not be loaded has failed without a failed test in it. */
const failuresOf = ({ testResults }: TestResults): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    const file = pathOf(name);
    if (failed.length === 0) return status === 'failed' ? [`${file}: ${brief(message)}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${brief(failureMessages[0] ?? '')}`);
  });

const brief = (message: string): string =>
  stripVTControlCharacters(message).trim().split('\n', 1)[0]!.slice(0, shownChars);

/** How many tests passed in any step, and how many were skipped in all. */
function countTests(steps: readonly Step[]): { readonly passed: number; readonly skipped: number } {
  const passed = new Map<string, number>();
  const known = new Map<string, number>();
  for (const { results } of steps) {
    const [passedHere, knownHere] = [new Map<string, number>(), new Map<string, number>()];
    for (const { name, assertionResults } of results?.testResults ?? [])
      for (const { status, fullName } of assertionResults) {
        const key = JSON.stringify([pathOf(name), fullName]);
        knownHere.set(key, (knownHere.get(key) ?? 0) + 1);
        if (status === 'passed') passedHere.set(key, (passedHere.get(key) ?? 0) + 1);
      }
    // The next step skips what this one passed, so the counts of tests with one name add up.
    for (const [key, count] of passedHere) passed.set(key, (passed.get(key) ?? 0) + count);
    for (const [key, count] of knownHere) known.set(key, Math.max(known.get(key) ?? 0, count));
  }
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  const failed = steps
    .flatMap(({ results }) => results?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed')).length;
  return { passed: sum(passed), skipped: Math.max(0, sum(known) - sum(passed) - failed) };
}

/** Tests that broke off, or failed outside any test, count as one failure: nothing else would show it. */
function failedOf({ hasFailed, results }: Step): number {
  const atLeast = hasFailed || results === undefined ? 1 : 0;
  return Math.max(results ? failuresOf(results).length : 0, atLeast);
}

/** The failed tests by name; the end of the output if no test failed. */
function whyFailed({ results, printed }: Step): string[] {
  const failures = results ? failuresOf(results) : [];
  if (failures.length > 0) return shortened(failures);
  const brokeOff = results === undefined ? ['its tests wrote no results: they broke off'] : [];
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  return [...brokeOff, ...lines.slice(-shownLines)];
}

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= shownFailures
    ? [...lines]
    : [...lines.slice(0, shownFailures), `and ${lines.length - shownFailures} more`];

/** `file: kills 12, requests 345` of each test that has figures. */
const figuresOf = ({ testResults }: TestResults): string[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ meta }) => {
      const figures = Object.entries(meta?.figures ?? {}).map(([figure, value]) => `${figure} ${value}`);
      return figures.length > 0 ? [`  ${pathOf(name)}: ${figures.join(', ')}`] : [];
    }),
  );

const steps = readSteps(process.argv[2]!);
const figures = steps.flatMap(({ results }) => (results ? figuresOf(results) : []));
if (figures.length > 0) console.log(['Figures (not checked):', ...figures].join('\n'));

for (const step of steps) {
  if (failedOf(step) === 0) continue;
  console.log(`Failed: ${step.name}`);
  for (const line of whyFailed(step)) console.log(`  ${line}`);
}

const { passed: tests, skipped } = countTests(steps);
const passed = tests + steps.filter(({ results, hasFailed }) => results === null && !hasFailed).length;
const failed = steps.reduce((total, step) => total + failedOf(step), 0);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
