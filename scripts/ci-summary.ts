/**
 * The end of .ci/run: why each step failed, and the last line, `1234 passed, 0 failed, 2 skipped`.
 *
 * `node scripts/ci-summary.ts FOLDER`: `FOLDER/steps.tsv` has a line for each step: its name, its exit code, the file that has what
 * it printed, and those into which Vitest's JSON reporter wrote, if any, separated by tabs. With `counted` before the files of results
 * their tests are counted one by one; any other step counts as one. Ends with 1 if anything failed.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface Step {
  readonly name: string;
  readonly hasFailed: boolean;
  readonly isCounted: boolean;
  /** Nothing for tests that broke off. */
  readonly results: readonly (Results | undefined)[];
  readonly printed: string;
}

/** What a viewer of the end may see of each test that failed. */
const shownChars = 200;
const shownFailures = 15;
const shownLines = 12;

function readSteps(folder: string): Step[] {
  const lines = readFileSync(join(folder, 'steps.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', code, log = '', kind = '', ...files] = line.split('\t');
    return {
      name,
      hasFailed: code !== '0',
      isCounted: kind === 'counted',
      results: files.filter(Boolean).map(readResults),
      printed: stripVTControlCharacters(readFileSync(log, 'utf8')),
    };
  });
}

function readResults(path: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}

/** `file > test: why`, and a file that could not be loaded, which has failed without a failed test in it. */
const failuresOf = ({ testResults }: Results): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    const file = pathOf(name);
    if (failed.length === 0) return status === 'failed' ? [`${file}: ${brief(message)}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${brief(failureMessages[0] ?? '')}`);
  });

/** From the top of the checkout, whichever that was. */
const pathOf = (name: string): string => relative(process.cwd(), name).replace(/^.*?(?=test\/)/, '');

const brief = (message: string): string =>
  stripVTControlCharacters(message).trim().split('\n', 1)[0]!.slice(0, shownChars);

/** Of a file: how many tests passed, and how many did not run. */
interface FileCounts {
  readonly passed: number;
  readonly skipped: number;
}

/** Of each file that steps ran whose tests are counted: as where most of it ran. */
function countsOfFiles(): FileCounts {
  const files = new Map<string, FileCounts>();
  for (const { name, assertionResults } of steps
    .flatMap(({ isCounted, results }) => (isCounted ? results : []))
    .flatMap((one) => one?.testResults ?? [])) {
    const countOf = (isMeant: (status: string) => boolean) =>
      assertionResults.filter(({ status }) => isMeant(status)).length;
    const counts = {
      passed: countOf((status) => status === 'passed'),
      skipped: countOf((status) => status !== 'passed' && status !== 'failed'),
    };
    const before = files.get(pathOf(name));
    if (!before || counts.skipped < before.skipped || counts.passed > before.passed) files.set(pathOf(name), counts);
  }
  const sum = (key: keyof FileCounts) => [...files.values()].reduce((total, one) => total + one[key], 0);
  return { passed: sum('passed'), skipped: sum('skipped') };
}

/** Tests that broke off, or failed outside any test, count as one failure: nothing else would show it. */
function failedOf({ hasFailed, isCounted, results }: Step): number {
  if (!isCounted) return hasFailed ? 1 : 0;
  const known = results.filter((one) => one !== undefined);
  const isAnythingMissing = hasFailed || known.length < results.length;
  return Math.max(
    known.reduce((total, one) => total + failuresOf(one).length, 0),
    isAnythingMissing ? 1 : 0,
  );
}

/** Failed tests by name; what was printed last, where it is not a test that failed. */
function whyFailed({ results, printed }: Step): string[] {
  const failures = results.flatMap((one) => (one ? failuresOf(one) : []));
  if (failures.length > 0) return shortened(failures);
  const brokeOff = results.includes(undefined) ? ['its tests wrote no results: they broke off'] : [];
  return [
    ...brokeOff,
    ...printed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-shownLines),
  ];
}

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= shownFailures
    ? [...lines]
    : [...lines.slice(0, shownFailures), `and ${lines.length - shownFailures} more`];

const steps = readSteps(process.argv[2]!);
for (const step of steps) {
  if (failedOf(step) === 0) continue;
  console.log(`Failed: ${step.name}`);
  for (const line of whyFailed(step)) console.log(`  ${line}`);
}

const { passed: tests, skipped } = countsOfFiles();
const passed = tests + steps.filter(({ isCounted, hasFailed }) => !isCounted && !hasFailed).length;
const failed = steps.reduce((total, step) => total + failedOf(step), 0);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
