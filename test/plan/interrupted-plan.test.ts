import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { atUpdate, sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const people = (bobsName: string) => [user(ann, 'Ann'), user(bob, bobsName)];
const ts = (day: number, position: number) => `${Date.UTC(2024, 2, day) / 1000 + position}.000100`;
const dayFile = (day: number) => `general/2024-03-0${day}.json`;
const rowsOf = (day: number, count = 26) =>
  Array.from({ length: count }, (_, position) => message(ts(day, position), ann, `${day}/${position} for <@${bob}>`));

/** Items of a transaction. */
const itemsPerCommit = 100;

/** Four day files: with 26 messages each more than one transaction of a plan, with 52 more than two. */
function largeExport(rowsPerDay = 26): string {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': people('Bob'),
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
    ...Object.fromEntries([1, 2, 3, 4].map((day) => [dayFile(day), rowsOf(day, rowsPerDay)])),
  });
  return folder;
}

function pluck(folder: string, sql: string): unknown[] {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const values = db.prepare(sql).pluck().all();
  db.close();
  return values;
}

const textsWith = (folder: string, part: string) =>
  pluck(folder, `SELECT count(*) FROM message WHERE verdict = 'planned' AND payload LIKE '%${part}%'`)[0];

/** A plan that is stopped at its first transaction, as Ctrl-C would. */
async function interruptedPlan(folder: string, changes: Parameters<typeof sessionRequest>[1] = {}): Promise<void> {
  const stop = new AbortController();
  const progress = atUpdate(1, () => stop.abort(new Error('stopped here')));
  const request = await sessionRequest(folder, { ...changes, itemsPerCommit, progress, stopping: stop.signal });
  await expect(planExport(request)).rejects.toThrow('stopped here');
}

describe('a plan that was interrupted', () => {
  it('still brings a new name into every text that mentions it', async () => {
    const folder = largeExport();
    await planExport(await sessionRequest(folder));
    expect(textsWith(folder, '@Bob')).toBe(104);
    writeFiles(join(folder, 'export'), { 'users.json': people('Robert') });
    await interruptedPlan(folder);
    await planExport(await sessionRequest(folder));
    expect(textsWith(folder, '@Robert')).toBe(104);
  });

  it('still applies an accepted mapping to everything, and leaves sent messages unchanged', async () => {
    const folder = largeExport();
    await importExport(await sessionRequest(folder, { verify: false }));
    const changes = { mapping: 'messages: { tags: [moved] }', allowMappingChange: true };
    await interruptedPlan(folder, changes);
    await planExport(await sessionRequest(folder, changes));
    expect(textsWith(folder, '"tags":["moved"]')).toBe(104);
    const { report, exit } = await verifyDestination(await sessionRequest(folder));
    expect(report.verify).toMatchObject({ same: 104, different: 0, missing: 0, extra: 0 });
    expect(exit).toBe(0);
  });

  it('still applies a changed mapping to everything if nothing was sent', async () => {
    const folder = largeExport();
    await planExport(await sessionRequest(folder));
    const changes = { mapping: 'messages: { tags: [moved] }' };
    await interruptedPlan(folder, changes);
    await planExport(await sessionRequest(folder, changes));
    expect(textsWith(folder, '"tags":["moved"]')).toBe(104);
  });

  it('forgets the rows that a file lost, even if it was killed right after reading', async () => {
    const folder = largeExport();
    await planExport(await sessionRequest(folder));
    writeFiles(join(folder, 'export'), { [dayFile(4)]: rowsOf(4, 20) });
    const killed = atUpdate(1, () => {
      throw new Error('killed');
    });
    await expect(planExport(await sessionRequest(folder, { itemsPerCommit, progress: killed }))).rejects.toThrow(
      'killed',
    );
    const { report } = await planExport(await sessionRequest(folder));
    expect(report.totals).toMatchObject({ read: 98, planned: 98 });
    expect(pluck(folder, 'SELECT count(*) FROM message WHERE stale = 1')).toEqual([0]);
  });

  it('continues after its first or its second transaction, and ends with the same rows', async () => {
    const rows = (folder: string) =>
      pluck(folder, `SELECT muid || verdict || payload || file FROM message ORDER BY muid`);
    const whole = largeExport(52);
    await planExport(await sessionRequest(whole));
    for (const transaction of [1, 2]) {
      const from = [join(whole, 'export')];
      const folder = home.make();
      const stop = new AbortController();
      const progress = atUpdate(transaction, () => stop.abort(new Error('stopped here')));
      const request = await sessionRequest(folder, { from, itemsPerCommit, progress, stopping: stop.signal });
      await expect(planExport(request)).rejects.toThrow('stopped here');
      await planExport(await sessionRequest(folder, { from }));
      expect(rows(folder), `transaction ${transaction}`).toEqual(rows(whole));
    }
  });
});

describe('a plan of an export without messages', () => {
  it('names an unknown file once, however often it is planned', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), {
      'users.json': people('Bob'),
      'channels.json': [],
      'notes.txt': 'what is this',
    });
    const first = await planExport(await sessionRequest(folder));
    const second = await planExport(await sessionRequest(folder));
    expect(first.report.problems).toContainEqual(expect.objectContaining({ code: 'unknown-file', count: 1 }));
    expect(second.report.problems).toEqual(first.report.problems);
    expect(second.report.files).toEqual(first.report.files);
  });
});
