/**
 * The last line of .ci/run: `1234 passed, 0 failed, 2 skipped`.
 *
 * `node scripts/ci-summary.ts [RESULTS.json=EXIT_CODE | STEP=ok|failed]…`: RESULTS.json is what Vitest's JSON reporter wrote,
 * EXIT_CODE that of the test command; each step beside the tests counts as one. Ends with 1 if anything failed.
 */
import { readFileSync } from 'node:fs';

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { status: string }[];
  }[];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Tests that broke off, or failed outside any test, count as one failure: nothing else would show it. */
function countTests(results: Results | undefined, hasFailed: boolean): Counts {
  if (!results) return { passed: 0, failed: 1, skipped: 0 };
  const failed = results.numFailedTests + results.testResults.filter(isBroken).length;
  return {
    passed: results.numPassedTests,
    failed: hasFailed ? Math.max(failed, 1) : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** A file that could not be loaded has failed without a failed test in it. */
const isBroken = ({ status, assertionResults }: Results['testResults'][number]) =>
  status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed');

function readResults(path: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Results;
  } catch {
    console.log('The tests wrote no results: they broke off');
    return undefined;
  }
}

const outcomes = process.argv.slice(2).map((argument) => {
  const at = argument.lastIndexOf('=');
  return { name: argument.slice(0, at), outcome: argument.slice(at + 1) };
});
const tests = outcomes
  .filter(({ name }) => name.endsWith('.json'))
  .map(({ name, outcome }) => countTests(readResults(name), outcome !== '0'));
const steps = outcomes.filter(({ name }) => !name.endsWith('.json'));
const failedSteps = steps.filter(({ outcome }) => outcome !== 'ok');
for (const { name } of failedSteps) console.log(`Failed: ${name}`);

const sum = (key: keyof Counts) => tests.reduce((total, counts) => total + counts[key], 0);
const failed = sum('failed') + failedSteps.length;
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`${sum('passed') + steps.length - failedSteps.length} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;
