import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { ZipWriter } from '../../bench/zip-writer.ts';
import { run as runAt, runJson as runJsonAt } from './in-process.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const dayMs = 86_400_000;
/** Files that were written a moment ago may be written again at what the disk calls the same time. */
const startMs = Date.now() + 3_600_000;
const dayOf = (age: number) => new Date(startMs - age * dayMs).toISOString().slice(0, 10);
const file = (age: number) => `export/general/${dayOf(age)}.json`;
const rowOf = (age: number, text: string) => message(`${Math.floor((startMs - age * dayMs) / 1000)}.000100`, ann, text);

const prepareOf = Database.prototype.prepare;
afterEach(() => void Object.assign(Database.prototype, { prepare: prepareOf }));

/** Commands in a folder with an export of three days, on a clock that moves. */
function scene() {
  const folder = home.make();
  writeFiles(folder, {
    'export/users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'export/channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
    ...Object.fromEntries([20, 10, 5].map((age) => [file(age), [rowOf(age, `of ${age}`)]])),
  });
  const clock = new VirtualClock(startMs);
  const json = async (...args: string[]) => {
    const { code, json: found } = await runJsonAt(args, { folder, clock });
    return { code, ...found };
  };
  return {
    folder,
    clock,
    json,
    run: (...args: string[]) => runAt(args, { folder, clock }),
    /** Runs a command, and returns its output and which of the slow queries it used. */
    async watched(...args: string[]) {
      const asked: string[] = [];
      const prepare = function (this: Database.Database, sql: string) {
        asked.push(sql.replaceAll(/\s+/g, ' '));
        return prepareOf.call(this, sql);
      };
      Object.assign(Database.prototype, { prepare });
      const found = await json(...args);
      Object.assign(Database.prototype, { prepare: prepareOf });
      const has = (text: string) => asked.some((sql) => sql.includes(text));
      return {
        ...found,
        countsMessages: has('SELECT conversation, sender, sent_at AS sentAt, verdict'),
        looksForPending: has('AS doubtful FROM message m LEFT JOIN delivery'),
        comparesFiles: has('SELECT id, path, role, fingerprint FROM source_file WHERE input = ? AND path = ?'),
      };
    },
  };
}

const nothingDone = { code: 0, countsMessages: false, looksForPending: false, comparesFiles: false };

describe('a run with nothing to do', () => {
  it('compares one digest, and counts no message again', async () => {
    const { json, watched } = scene();
    const first = await json('import', 'export');
    expect(first).toMatchObject({ code: 0, imported: 3 });
    await json('import', 'export');
    const again = await watched('import', 'export');
    expect(again).toMatchObject({ ...nothingDone, imported: 3, pending: 0, requests: { import: 0 } });
    expect(again.losses).toEqual(first.losses);
    expect(await watched('plan', 'export')).toMatchObject({ ...nothingDone, imported: 3 });
  });

  it('counts no message again behind a verification, and neither does the verification', async () => {
    const { json, watched } = scene();
    await json('import', 'export');
    const verified = await watched('verify');
    expect(verified).toMatchObject({ code: 0, imported: 3, countsMessages: false, verify: { same: 3 } });
    expect(await watched('plan', 'export')).toMatchObject({ ...nothingDone, imported: 3 });
    await json('import', 'export');
    expect(await watched('verify')).toMatchObject({ code: 0, countsMessages: false });
    expect(await watched('import', 'export')).toMatchObject({ ...nothingDone, imported: 3, losses: verified.losses });
  });

  it('writes the report even if it was deleted', async () => {
    const { folder, json } = scene();
    await json('import', 'export');
    const path = join(folder, 'chatferry.report/report.json');
    const conversations = () => readFileSync(join(folder, 'chatferry.report/conversations.csv'), 'utf8');
    const [before, listed] = [JSON.parse(readFileSync(path, 'utf8')), conversations()];
    rmSync(join(folder, 'chatferry.report'), { recursive: true });
    await json('import', 'export');
    const { months, contents, authors, totals } = JSON.parse(readFileSync(path, 'utf8'));
    expect({ months, contents, authors, totals }).toEqual({
      ...{ months: before.months, contents: before.contents, authors: before.authors, totals: before.totals },
    });
    expect(conversations()).toBe(listed);
    expect(existsSync(join(folder, 'chatferry.report/report.html'))).toBe(true);
  });

  it('takes an archive by its directory', async () => {
    const { folder, json, watched } = scene();
    const path = join(folder, 'export.zip');
    const pack = (text: string) => {
      const zip = new ZipWriter(path);
      const add = (name: string, content: unknown) => zip.add(name, Buffer.from(JSON.stringify(content)));
      add('users.json', [user(ann, 'Ann')]);
      add('channels.json', [{ id: 'C00000001', name: 'general', members: [ann] }]);
      add(`general/${dayOf(5)}.json`, [rowOf(5, text)]);
      zip.close();
    };
    pack('one');
    const times = statSync(path);
    await json('plan', 'export.zip');
    expect(await watched('plan', 'export.zip')).toMatchObject({ ...nothingDone, planned: 1 });
    pack('two');
    utimesSync(path, times.atime, times.mtime);
    await json('plan', 'export.zip');
    expect(payloads(folder)).toEqual([expect.stringContaining('two')]);
  });
});

const payloads = (folder: string) => {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  try {
    return db.prepare('SELECT payload FROM message ORDER BY sent_at').pluck().all();
  } finally {
    db.close();
  }
};

describe('a change that a second run notices', () => {
  it('is a file that was changed in place, of the same size and date', async () => {
    const { folder, json, watched } = scene();
    await json('plan', 'export');
    expect(await watched('plan', 'export')).toMatchObject(nothingDone);
    const path = join(folder, file(10));
    const { atime, mtime } = statSync(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('of 10', 'OF 10'));
    utimesSync(path, atime, mtime);
    expect(await watched('plan', 'export')).toMatchObject({ comparesFiles: true, countsMessages: true });
    expect(payloads(folder)[1]).toContain('OF 10');
  });

  it('is a day that came, and one that left', async () => {
    const { folder, json } = scene();
    await json('plan', 'export');
    await json('plan', 'export');
    writeFiles(folder, { [file(2)]: [rowOf(2, 'new')] });
    expect(await json('plan', 'export')).toMatchObject({ read: 4, planned: 4 });
    rmSync(join(folder, file(20)));
    expect(await json('plan', 'export')).toMatchObject({ read: 3, planned: 3 });
  });

  it('is another mapping, filter or limit', async () => {
    const { folder, json } = scene();
    await json('plan', 'export');
    await json('plan', 'export');
    writeFiles(folder, { 'mapping.yaml': 'version: 1\nmessages:\n  olderThan: 7d\n' });
    expect(await json('plan', 'export', '--mapping', 'mapping.yaml')).toMatchObject({ planned: 1, skipped: 2 });
    expect(await json('plan', 'export')).toMatchObject({ planned: 3, skipped: 0 });
    const since = `after:${dayOf(12)}`;
    expect(await json('plan', 'export', '--only', since)).toMatchObject({ planned: 2, skipped: 1 });
    expect(await json('plan', 'export')).toMatchObject({ planned: 3 });
    const short = ['--profile', 'hosted', '--retention-days', '7'];
    expect(await json('plan', 'export', ...short)).toMatchObject({ planned: 1, invalid: 2 });
  });

  it('is the time that goes by', async () => {
    const { clock, json, watched } = scene();
    const month = ['--profile', 'hosted', '--retention-days', '15'];
    expect(await json('plan', 'export', ...month)).toMatchObject({ planned: 2, invalid: 1 });
    await clock.sleep(dayMs);
    expect(await watched('plan', 'export', ...month)).toMatchObject({ comparesFiles: false, planned: 2, invalid: 1 });
    await clock.sleep(6 * dayMs);
    expect(await watched('plan', 'export', ...month)).toMatchObject({ comparesFiles: true, planned: 1, invalid: 2 });
  });

  it('is an undo that rolled messages back', async () => {
    const { json, run } = scene();
    await json('import', 'export');
    await json('import', 'export');
    expect((await run('undo', '--yes')).code).toBe(0);
    expect(await json('plan', 'export')).toMatchObject({ imported: 0, pending: 3 });
    expect(await json('import', 'export')).toMatchObject({ code: 0, imported: 3, requests: { import: 1 } });
  });

  it('is a pending message, regardless of what made it pending', async () => {
    const { folder, json } = scene();
    await json('import', 'export');
    await json('import', 'export');
    const db = new Database(join(folder, 'chatferry.db'));
    db.exec(`UPDATE delivery SET state = 'pending' WHERE message = 1`);
    db.close();
    expect(await json('plan', 'export')).toMatchObject({ imported: 2, pending: 1 });
    expect(await json('import', 'export')).toMatchObject({ pending: 0, requests: { import: 1 } });
  });

  it('is a message that a verification puts back', async () => {
    const { folder, json, watched } = scene();
    await json('import', 'export');
    const sandbox = new Database(join(folder, 'chatferry.sandbox.db'));
    sandbox.exec('DELETE FROM message WHERE rowid = (SELECT max(rowid) FROM message)');
    sandbox.close();
    expect(await json('verify')).toMatchObject({ code: 6, imported: 3, verify: { missing: 1 } });
    expect(await watched('verify', '--repair', '--yes')).toMatchObject({ code: 0, imported: 3, countsMessages: true });
  });

  it('is that the store is gone', async () => {
    const { folder, json } = scene();
    await json('plan', 'export');
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `chatferry.db${end}`), { force: true });
    expect(await json('plan', 'export')).toMatchObject({ code: 0, planned: 3 });
  });

  it('is a damaged store', async () => {
    const { folder, json, run } = scene();
    await json('plan', 'export');
    await json('plan', 'export');
    const path = join(folder, 'chatferry.db');
    const bytes = readFileSync(path);
    for (let at = 8192 * 3; at + 8192 < bytes.length; at += 8192) bytes.fill(0xee, at, at + 64);
    writeFileSync(path, bytes);
    expect((await run('plan', 'export')).code).toBe(7);
  });
});
