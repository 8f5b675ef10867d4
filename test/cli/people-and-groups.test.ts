import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ReportData } from '../../src/report/report-data.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();
const sample = resolve('samples/slack/every-feature/export');
const hosted = [
  sample,
  '--rehearse-for',
  'hosted',
  '--retention-days',
  'unlimited',
  '--quiet',
  '--mapping',
  'mapping.yaml',
];

const none = {
  existing: 0,
  failed: 0,
  unconfirmed: 0,
  invalid: 0,
  withdrawn: 0,
  changed: 0,
  leaving: 0,
  staying: 0,
  left: 0,
};
const people = { ...none, read: 15, skipped: 3, planned: 12, assumed: 0 };
const groups = { ...none, read: 7, skipped: 1, planned: 6, assumed: 0 };
const members = { ...none, read: 24, skipped: 10, planned: 14, assumed: 14 };

/** Without deactivations after the messages. */
function scene(): string {
  const folder = home.make();
  writeFileSync(
    join(folder, 'mapping.yaml'),
    'version: 1\npeople: { deleted: placeholder }\nmessages: { attachments: placeholder }\n',
  );
  return folder;
}

const readReport = (folder: string): ReportData =>
  JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));

describe('people and groups at the hosted service', () => {
  it('have totals of their own in a plan, with who is left out and why', async () => {
    const folder = scene();
    const { json } = await runJson(['plan', ...hosted], { folder });
    expect(json).toMatchObject({
      arrivals: {
        people: { ...people, imported: 0, pending: 12 },
        groups: { ...groups, imported: 0, pending: 6 },
        members: { ...members, imported: 0, pending: 14 },
      },
      losses: { 'people who never wrote': 3 },
    });
    expect(json).not.toHaveProperty(['losses', 'silent members']);
    const report = readReport(folder);
    expect(report.arrivals!.skipped).toEqual([
      { kind: 'people', reason: 'in no conversation that is sent', count: 3 },
      { kind: 'groups', reason: 'nothing of it is sent', count: 1 },
      { kind: 'members', reason: 'account is deleted', count: 1 },
      { kind: 'members', reason: 'no list of members, and not decided', count: 3 },
      { kind: 'members', reason: 'nothing of the group is sent', count: 1 },
      { kind: 'members', reason: 'wrote in the group, and is not in its list', count: 5 },
    ]);
    expect(report.problems.map(({ code }) => code)).not.toContain('silent-members');
    expect(report.forecast.requests).toBe(4);
    const { stdout } = await run(['plan', ...hosted], { folder });
    expect(stdout).toContain(
      '  members  14  14 pending; not planned 10 of 24: account is deleted 1, no list of members, and not ',
    );
    expect(stdout).toContain('  when 14 members joined is assumed: the export does not say\n');
  });

  it('are imported before the messages, and are accounted for in the summary, the report and its page', async () => {
    const folder = scene();
    const { code, stdout } = await run(['import', ...hosted, '--yes'], { folder });
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 26]);
    expect(stdout).toContain('\nPeople and groups  12 people, 6 groups, 14 members: all imported  when 14');
    expect(readReport(folder).arrivals!.kinds).toEqual({
      people: { ...people, imported: 12, pending: 0 },
      groups: { ...groups, imported: 6, pending: 0 },
      members: { ...members, imported: 14, pending: 0 },
    });
    const page = readFileSync(join(folder, 'chatferry.report/report.html'), 'utf8');
    expect(page).toContain('<a href="#arrivals">People and groups</a>');
    await run(['report', '--format', 'markdown', '--report', 'out'], { folder });
    const markdown = readFileSync(join(folder, 'out/report.md'), 'utf8');
    expect(markdown).toContain('| members | 24 | 10 | 0 | 14 | 14 |');
  });

  it('that were there before are left as they are, and the summary says so', async () => {
    const folder = scene();
    await run(['import', ...hosted, '--yes'], { folder });
    rmSync(join(folder, 'chatferry.db'));
    const { code, stdout } = await run(['import', ...hosted, '--yes'], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('  people   12  12 existing; ');
    expect(stdout).toContain('  32 existed before: left as they are; whether they differ cannot be seen\n');
  });

  it('are counted at the service when they were read back: a group that lost a member is a difference', async () => {
    const folder = scene();
    const { json } = await runJson(['import', ...hosted, '--yes'], { folder });
    expect(json).toMatchObject({ verify: { actions: { members: { same: 14, missing: 0, notShown: 0 } } } });
    const db = new Database(join(folder, 'chatferry.sandbox.db'));
    db.exec('DELETE FROM group_member WHERE (guid, uid) IN (SELECT guid, uid FROM group_member LIMIT 1)');
    db.close();
    const { code, stdout } = await run(['verify'], { folder });
    expect([code, stdout]).toEqual([6, expect.stringContaining('members: 13 same, 1 missing')]);
  });
});

describe('people and groups at a service without operations for them', () => {
  it('have no totals: the plan counts the members who do not come along', async () => {
    const folder = home.make();
    const { json } = await runJson(['plan', sample, '--rehearse-for', 'spec', '--quiet'], { folder });
    expect(json).toMatchObject({ arrivals: {}, losses: { 'silent members': 3 } });
    expect(readReport(folder).problems).toContainEqual(expect.objectContaining({ code: 'silent-members' }));
  });
});
