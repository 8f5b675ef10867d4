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
  readonly kind?: 'counted' | 'once';
  /** Of its tests: `undefined` where they broke off. */
  readonly results?: readonly (object | undefined)[];
}

function summaryOf(steps: readonly Step[]) {
  const folder = home.make();
  const lines = steps.map(({ name, code, printed = '', kind, results = [] }, step) => {
    const log = join(folder, `log-${step}`);
    writeFileSync(log, printed);
    const files = results.map((result, index) => {
      const path = join(folder, `${step}-${index}.json`);
      if (result) writeFileSync(path, JSON.stringify(result));
      return path;
    });
    return [name, code, log, kind ?? '', ...files].join('\t');
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
/** Of a file with so many tests that passed and two that were skipped, and of others. */
const resultsOf = (passes: number, ...testResults: object[]) => ({
  testResults: [
    fileOf('test/many.test.ts', ...Array.from({ length: passes }, () => passed), skipped, skipped),
    ...testResults,
  ],
});

it('the summary of .ci/run is one line where all is well', () => {
  const good = resultsOf(10, fileOf('test/a.test.ts', passed));
  const steps: Step[] = [
    { name: 'tests', code: 0, kind: 'counted', results: [good] },
    { name: 'alone', code: 0, kind: 'once', results: [good, good] },
    { name: 'lint', code: 0 },
  ];
  expect(summaryOf(steps)).toEqual({ status: 0, lines: ['13 passed, 0 failed, 2 skipped'] });
});

it('the summary of .ci/run counts a file that two steps ran once, as where most of it ran', () => {
  const steps: Step[] = [
    {
      name: 'alone',
      code: 0,
      kind: 'counted',
      results: [resultsOf(10, fileOf('/alone/test/a.test.ts', passed, skipped))],
    },
    {
      name: 'skipped there',
      code: 0,
      kind: 'counted',
      results: [{ testResults: [fileOf('test/a.test.ts', passed, passed)] }],
    },
  ];
  expect(summaryOf(steps).lines).toEqual(['12 passed, 0 failed, 2 skipped']);
});

it('the summary of .ci/run says of each step that failed why: its tests by name, or what it printed last', () => {
  const broken = { ...fileOf('test/b.test.ts'), status: 'failed', message: 'Cannot load it' };
  const steps: Step[] = [
    {
      name: 'tests',
      code: 1,
      kind: 'counted',
      results: [resultsOf(10, fileOf('test/a.test.ts', passed, failed), broken)],
    },
    { name: 'alone', code: 1, kind: 'once', results: [resultsOf(9, fileOf('x/test/c.test.ts', failed)), undefined] },
    { name: 'long', code: 137, kind: 'counted', results: [undefined], printed: 'Killed\n' },
    { name: 'lint', code: 1, printed: `${'noise\n'.repeat(40)}\u001b[31mwrong\u001b[39m\n` },
    { name: 'types', code: 0, printed: 'fine' },
  ];
  const { status, lines } = summaryOf(steps);
  expect(status).toBe(1);
  expect(lines.filter((line) => line !== '  noise')).toEqual([
    'Failed: tests',
    '  test/a.test.ts > it fails: Error: because',
    '  test/b.test.ts: Cannot load it',
    'Failed: alone',
    '  test/c.test.ts > it fails: Error: because',
    'Failed: long',
    '  its tests wrote no results: they broke off',
    '  Killed',
    'Failed: lint',
    '  wrong',
    '12 passed, 5 failed, 2 skipped',
  ]);
  expect(lines.length).toBeLessThan(30);
});
