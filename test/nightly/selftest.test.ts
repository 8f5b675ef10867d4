import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeFailure, tableHead, tableRow } from '../../src/cli/operate/selftest.ts';
import { addUp } from '../../src/selftest/result.ts';
import { scenarioNames } from '../../src/selftest/selftest.ts';
import { readTracked } from '../repository/tracked-files.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, start } from '../cli/process.ts';

const home = temporaryFolder();
const none = { lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0, unconfirmed: 0, hung: 0 };

describe('chatferry selftest', () => {
  it('shows zeros for a scenario, with exit 0, and leaves nothing behind', async () => {
    const folder = home.make();
    const env = { TMPDIR: folder, CHATFERRY_TO: 'http://nobody.invalid' };
    const args = ['selftest', '--scenario', 'embedded-killed', '--seed', '7', '--quiet'];
    const { json, code, stderr } = await runJson(args, { folder, env });
    expect(json, stderr).toMatchObject({ command: 'selftest', seed: 7, failures: [], exit: 0 });
    expect(json.scenarios).toEqual([expect.objectContaining({ scenario: 'embedded-killed', ...none })]);
    expect(code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('chatferry-selftest'))).toEqual([]);
  });

  it('ends with 130 at Ctrl-C, and takes its processes and its folder with it', async () => {
    const folder = home.make();
    const { child, line, ended } = start(['selftest', '--progress', 'json'], { folder, env: { TMPDIR: folder } });
    await line('"stage":"Migrations"');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    expect(readdirSync(folder).filter((name) => name.startsWith('chatferry-selftest'))).toEqual([]);
  });

  it.each([
    [['--scenario', 'nope'], 'Cannot run the scenario "nope"'],
    [['--minutes', '0'], 'Cannot use --minutes'],
    [['--seed', 'x'], 'Cannot use --seed'],
  ])('refuses %j', async (args, words) => {
    const ended = await run(['selftest', ...args], { folder: home.make() });
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain(words);
  });

  it.each(scenarioNames)('has a page that says what %s shows', (name) => {
    expect(readTracked('docs/guides/selftest.md')).toContain(`| \`${name}\` |`);
  });
});

describe('the table of a selftest', () => {
  it('has a number under each title', () => {
    const row = tableRow({ ...addUp('late', []), runs: 1234, kills: 6, outOfOrder: 2 }, false);
    expect(tableHead()).toMatch(
      /^scenario +runs +kills +requests +lost +duplicated +unexpected +out of order +unconfirmed$/,
    );
    expect(row).toMatch(/^late +1,234 +6 +0 +0 +0 +0 +2 +0 {2}FAILED$/);
    expect(row.indexOf('1,234') + 5).toBe(tableHead().indexOf('runs') + 4);
  });

  it('shows where to inspect a failure and how to rerun it', () => {
    const failure = { scenario: 'late', seed: 12, problems: ['lost: "k1"\u001b[2J'], folder: '/tmp/kept' };
    expect(describeFailure(failure)).toMatch(
      /^FAILED: late with seed 12\n {2}lost: "k1"[^\u001b]*\n {2}kept: \/tmp\/kept\n {2}again: (?:npx )?chatferry selftest --seed 12 --scenario late$/,
    );
  });
});
