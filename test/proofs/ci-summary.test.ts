import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

interface Step {
  readonly name: string;
  readonly code: number;
  readonly printed?: string;
  /** Results of its tests; 'none' if the tests broke off. */
  readonly results?: object | 'none';
}

function summaryOf(steps: readonly Step[]) {
  const folder = home.make();
  const lines = steps.map(({ name, code, printed = '', results }, step) => {
    const log = join(folder, `log-${step}`);
    writeFileSync(log, printed);
    if (!results) return [name, code, log, ''].join('\t');
    const path = join(folder, `${step}.json`);
    if (results !== 'none') writeFileSync(path, JSON.stringify(results));
    return [name, code, log, path].join('\t');
  });
  writeFileSync(join(folder, 'steps.tsv'), `${lines.join('\n')}\n`);
  const { status, stdout } = spawnSync(process.execPath, ['scripts/ci-summary.ts', folder], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const passed = { status: 'passed', fullName: 'it passes', failureMessages: [] };
const failed = { status: 'failed', fullName: 'it fails', failureMessages: ['Error: because\n    at somewhere'] };
const fileOf = (path: string, ...assertionResults: object[]) => ({
  ...{ name: join(process.cwd(), path), message: '', assertionResults },
  status: assertionResults.includes(failed) ? 'failed' : 'passed',
});
const skipped = { status: 'skipped', fullName: 'it waits', failureMessages: [] };
/** In a later step: what passed before, and what now has what it waited for. */
const leftOut = { ...passed, status: 'skipped' };
const waited = { ...skipped, status: 'passed' };
/** Results of a file with so many tests that passed and two that were skipped, and of other files. */
const resultsOf = (passes: number, ...testResults: object[]) => ({
  testResults: [
    fileOf('test/many.test.ts', ...Array.from({ length: passes }, () => passed), skipped, skipped),
    ...testResults,
  ],
});

it('the summary of .ci/run is one line if all is well', () => {
  const steps: Step[] = [
    { name: 'tests', code: 0, results: resultsOf(10, fileOf('test/a.test.ts', passed)) },
    { name: 'lint', code: 0 },
  ];
  expect(summaryOf(steps)).toEqual({ status: 0, lines: ['12 passed, 0 failed, 2 skipped'] });
});

it('the summary of .ci/run counts a test once that two steps ran, and none as skipped that one of them passed', () => {
  const steps: Step[] = [
    { name: 'alone', code: 0, results: resultsOf(10, fileOf('/alone/test/a.test.ts', passed, passed, skipped)) },
    { name: 'skipped there', code: 0, results: { testResults: [fileOf('test/a.test.ts', leftOut, leftOut, waited)] } },
  ];
  expect(summaryOf(steps).lines).toEqual(['13 passed, 0 failed, 2 skipped']);
});

it('the summary of .ci/run prints the figures of tests', () => {
  const withFigures = { ...passed, meta: { figures: { kills: 12, 'peak, MiB': 200 } } };
  expect(
    summaryOf([{ name: 'proofs', code: 0, results: { testResults: [fileOf('test/a.test.ts', withFigures)] } }]).lines,
  ).toEqual(['Figures (not checked):', '  test/a.test.ts: kills 12, peak, MiB 200', '1 passed, 0 failed']);
});

it('the summary of .ci/run says why each step failed: its tests by name, or the end of its output', () => {
  const broken = { ...fileOf('test/b.test.ts'), status: 'failed', message: 'Cannot load it' };
  const steps: Step[] = [
    { name: 'tests', code: 1, results: resultsOf(10, fileOf('test/a.test.ts', passed, failed), broken) },
    { name: 'skipped there', code: 1, results: { testResults: [fileOf('x/test/c.test.ts', failed)] } },
    { name: 'proofs', code: 137, results: 'none', printed: 'Killed\n' },
    { name: 'lint', code: 1, printed: `${'noise\n'.repeat(40)}\u001b[31mwrong\u001b[39m\n` },
    { name: 'types', code: 0, printed: 'fine' },
  ];
  const { status, lines } = summaryOf(steps);
  expect(status).toBe(1);
  expect(lines.filter((line) => line !== '  noise')).toEqual([
    'Failed: tests',
    '  test/a.test.ts > it fails: Error: because',
    '  test/b.test.ts: Cannot load it',
    'Failed: skipped there',
    '  test/c.test.ts > it fails: Error: because',
    'Failed: proofs',
    '  its tests wrote no results: they broke off',
    '  Killed',
    'Failed: lint',
    '  wrong',
    '12 passed, 5 failed, 2 skipped',
  ]);
  expect(lines.length).toBeLessThan(30);
});
