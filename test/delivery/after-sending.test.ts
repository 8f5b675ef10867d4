import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { Outcome } from '../../src/commands/results.ts';

const home = temporaryFolder();
const [ann, bob, cem] = [userId(1), userId(2), userId(3)];
const ts = (day: number, second: number) => `${Date.UTC(2024, 2, day) / 1000 + second}.000100`;
const dayOne = [message(ts(1, 1), ann, 'first'), message(ts(1, 2), bob, `second, <@${cem}>`)];
const dayTwo = [message(ts(2, 1), cem, 'third')];

const files = {
  'users.json': [user(ann, 'Ann'), user(bob, 'Bob'), user(cem, 'Cem')],
  'channels.json': [
    { id: 'C00000001', name: 'one', members: [ann, bob, cem] },
    { id: 'C00000002', name: 'two', members: [ann, bob] },
  ],
  'dms.json': [{ id: 'D00000001', members: [ann, bob] }],
  'one/2024-03-01.json': dayOne,
  'one/2024-03-02.json': dayTwo,
  'two/2024-03-01.json': [message(ts(1, 3), ann, 'alpha'), message(ts(1, 4), bob, 'beta')],
  'D00000001/2024-03-01.json': [message(ts(1, 5), ann, 'hi'), message(ts(1, 6), cem, 'me too')],
};
const rowCount = 7;

async function sentExport(): Promise<string> {
  const folder = home.make();
  writeFiles(join(folder, 'export'), files);
  const { report } = await importExport(await sessionRequest(folder));
  expect(report.totals).toMatchObject({ imported: rowCount, pending: 0 });
  return folder;
}

function expectBalanced({ report: { totals } }: Outcome): void {
  expect(totals.read).toBe(totals.planned + totals.skipped + totals.invalid);
  expect(totals.planned).toBe(totals.imported + totals.existing + totals.failed + totals.pending + totals.unconfirmed);
}

/** The last import, a plan after it, and everything read back. */
async function expectAllSame(folder: string, changes: Parameters<typeof sessionRequest>[1] = {}, sent = rowCount) {
  const outcome = await importExport(await sessionRequest(folder, changes));
  expectBalanced(outcome);
  expect(outcome.report.totals).toMatchObject({ imported: sent, pending: 0, failed: 0 });
  expectBalanced(await planExport(await sessionRequest(folder, changes)));
  const { report, exit } = await verifyDestination(await sessionRequest(folder, changes));
  expect(report.verify).toEqual({ same: sent, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 });
  expect(report.differences).toEqual([]);
  expect(exit).toBe(0);
  return outcome;
}

describe('a sent message is read back unchanged', () => {
  it.each([
    ['tags everything', 'messages: { tags: [moved] }'],
    ['gives a person another uid', `people: { uids: { ${ann}: somebody-else } }`],
    ['gives a group another guid', 'conversations: { guids: { C00000001: elsewhere } }'],
    ['leaves out a conversation', 'conversations: { exclude: [C00000001] }'],
    ['rejects outsiders', 'conversations: { outsiders: reject }'],
  ])('under an accepted mapping that %s', async (_, mapping) => {
    await expectAllSame(await sentExport(), { mapping, allowMappingChange: true });
  });

  it('under a mapping that is accepted and then reverted', async () => {
    const folder = await sentExport();
    await expectAllSame(folder, { mapping: 'messages: { tags: [moved] }', allowMappingChange: true });
    await expectAllSame(folder, { allowMappingChange: true });
  });

  it('when a person is called otherwise', async () => {
    const folder = await sentExport();
    writeFiles(join(folder, 'export'), { 'users.json': [user(ann, 'Anna'), user(bob, 'Rob'), user(cem, 'Cemal')] });
    await expectAllSame(folder);
  });

  it('when its message moved to another file', async () => {
    const folder = await sentExport();
    writeFiles(join(folder, 'export'), {
      'one/2024-03-01.json': dayOne.slice(0, 1),
      'one/2024-03-02.json': [...dayOne.slice(1), ...dayTwo],
    });
    const { report } = await expectAllSame(folder);
    expect(report.totals).toMatchObject({ read: rowCount, duplicates: 0 });
    expect(report.drift).toBeUndefined();
  });

  it('when its text was edited at the source, which is named', async () => {
    const folder = await sentExport();
    writeFiles(join(folder, 'export'), { 'one/2024-03-02.json': [{ ...dayTwo[0], text: 'third, edited' }] });
    const { report } = await expectAllSame(folder);
    expect(report.drift!.kinds).toEqual({ edited: 1 });
  });

  it('when its file is gone, and when the file is back', async () => {
    const folder = await sentExport();
    rmSync(join(folder, 'export/one/2024-03-01.json'));
    await expectAllSame(folder);
    writeFiles(join(folder, 'export'), { 'one/2024-03-01.json': dayOne });
    await expectAllSame(folder);
  });

  it('when only another export of the same workspace is named', async () => {
    const folder = await sentExport();
    writeFiles(join(folder, 'later'), {
      ...files,
      'one/2024-03-03.json': [message(ts(3, 1), ann, 'fourth')],
    });
    const { report } = await expectAllSame(folder, { from: [join(folder, 'later')] }, rowCount + 1);
    expect(report.totals).toMatchObject({ read: rowCount + 1, duplicates: rowCount });
  });
});

describe('a direct conversation that became a group', () => {
  it('stays one there when the outsider is gone', async () => {
    const folder = await sentExport();
    writeFiles(join(folder, 'export'), {
      'D00000001/2024-03-01.json': [message(ts(1, 5), ann, 'hi'), message(ts(1, 7), bob, 'later')],
    });
    await expectAllSame(folder, {}, rowCount + 1);
    expect(sandboxContents(join(folder, 'chatferry.sandbox.db')).get('group_d00000001')).toEqual([
      ...['hi', 'me too', 'later'],
    ]);
  });
});
