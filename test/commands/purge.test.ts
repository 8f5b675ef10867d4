import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { purge } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { readStatus, explainId, verifyDestination } from '../../src/commands/check.ts';
import { apiKey, never } from '../scenes/bench.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { servedFaulty } from '../scenes/served-sandbox.ts';
import { atUpdate, sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { PurgePlan } from '../../src/commands/results.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const ts = (second: number) => `${1_709_251_200 + second}.000100`;
const count = 40;
/** Found nowhere else: not in names, ids or code. */
const secretWord = 'zanzibarquokka';
const textOf = (index: number) => `${secretWord} ${index} ${'padding '.repeat(40)}`;

const rows = Array.from({ length: count }, (_, index) => message(ts(index), index % 3 ? ann : bob, textOf(index)));

/** An export that was sent to a server, and what is asked there. */
async function sentScene() {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [{ id: 'C00000001', name: 'one', members: [ann, bob] }],
    'dms.json': [{ id: 'D00000001', members: [ann, bob] }],
    'one/2024-03-01.json': rows.slice(0, 30),
    'D00000001/2024-03-01.json': rows.slice(30),
  });
  const served = await servedFaulty(folder);
  const request = await sessionRequest(folder, { to: served.url, apiKey: new Secret(apiKey) });
  const first = await importExport({ ...request, verify: false });
  expect(first.report.totals).toMatchObject({ imported: count, pending: 0 });
  const plans: PurgePlan[] = [];
  const forget = (answer = true) =>
    purge({
      store: request.store,
      clock: request.clock,
      progress: request.progress,
      stopping: never,
      confirm: async (plan) => {
        plans.push(plan);
        return answer;
      },
    });
  return { folder, served, request, forget, plans };
}

/** Returns the files of the store that hold the text: the database, its log, its lock, and all files next to it. */
const filesWithContent = (folder: string): string[] =>
  readdirSync(folder).filter(
    (name) => name.startsWith('chatferry.db') && readFileSync(join(folder, name)).includes(secretWord),
  );

const allSame = { same: count, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };

describe('purge', () => {
  it('leaves no byte of message content in the files of the store, and does not change the totals', async () => {
    const { folder, request, forget, plans } = await sentScene();
    expect(filesWithContent(folder)).toContain('chatferry.db');
    await verifyDestination(request);
    const before = readStatus(request, 'status').totals;
    const done = await forget();
    expect(done).toMatchObject({ exit: 0, purged: count });
    expect(plans).toMatchObject([{ messages: count, unverified: 0, neededElsewhere: 0 }]);
    expect(done.bytesAfter).toBeLessThan(done.bytesBefore);
    expect(filesWithContent(folder)).toEqual([]);
    expect(readStatus(request, 'status').totals).toEqual(before);
    expect((await forget()).purged).toBe(0);
  });

  it('also removes content that was replaced or deleted in them before', async () => {
    const { folder, request, forget } = await sentScene();
    writeFiles(join(folder, 'export'), {
      'one/2024-03-01.json': rows.slice(0, 30).map((row) => ({ ...row, text: 'all changed' })),
    });
    expect((await planExport(request)).report.drift!.changes).toMatchObject([{ kind: 'edited', count: 30 }]);
    const db = new Database(request.store);
    db.exec(`DELETE FROM problem`);
    db.close();
    await verifyDestination(request);
    await forget();
    expect(filesWithContent(folder)).toEqual([]);
    expect(await verifyDestination(request)).toMatchObject({ exit: 0, report: { verify: allSame } });
  });

  it('lets verify compare as before: one altered character is found, and nothing else', async () => {
    const { request, forget, served } = await sentScene();
    await verifyDestination(request);
    await forget();
    expect(await verifyDestination(request)).toMatchObject({ exit: 0, report: { verify: allSame } });
    const server = new Database(served.data);
    server.exec(`UPDATE message SET data = replace(data, '${secretWord} 7 ', '${secretWord} 8 ')`);
    server.close();
    const { report } = await verifyDestination(request);
    expect(report.verify).toEqual({ ...allSame, same: count - 1, different: 1 });
    expect(report.differences[0]!.detail).toContain('content');
  });

  it('lets an unchanged export, and one that has grown, be imported again without bringing anything back', async () => {
    const { folder, request, forget, served } = await sentScene();
    await verifyDestination(request);
    await forget();
    const again = await importExport(request);
    expect(again.report.totals).toMatchObject({ imported: count, pending: 0 });
    expect(again.report.requests.import).toBe(0);
    writeFiles(join(folder, 'export'), {
      'one/2024-03-01.json': [...rows.slice(0, 30), message(ts(99), ann, 'a new one')],
    });
    const grown = await importExport(request);
    expect(grown.report.totals).toMatchObject({ read: count + 1, imported: count + 1, late: 0 });
    expect(grown.report.problems).toEqual([]);
    expect(filesWithContent(folder)).toEqual([]);
    expect(new Database(served.data).prepare('SELECT count(*) FROM message').pluck().get()).toBe(count + 1);
    expect(await verifyDestination(request)).toMatchObject({ report: { verify: { ...allSame, same: count + 1 } } });
  });

  it('does not start before everything was verified, and keeps unverified content', async () => {
    const { request, forget, folder, plans, served } = await sentScene();
    await expect(forget()).rejects.toMatchObject({
      name: 'UsageError',
      hint: expect.stringContaining('chatferry verify'),
    });
    expect(filesWithContent(folder)).toContain('chatferry.db');
    const server = new Database(served.data);
    server.exec(`UPDATE message SET data = replace(data, '${secretWord} 35 ', '${secretWord} 36 ')`);
    server.close();
    expect((await verifyDestination(request)).exit).toBe(6);
    expect(await forget()).toMatchObject({ purged: 30 });
    expect(plans).toMatchObject([{ messages: 30, unverified: 10 }]);
    const story = async (index: number) => (await explainId(request.store, ts(index), never))[0]!;
    expect(await story(1)).toMatchObject({ isPurged: true, payload: null, record: { text: textOf(1) } });
    expect(await story(31)).toMatchObject({ isPurged: false, payload: expect.stringContaining(secretWord) });
  });

  it('continues where it was interrupted', async () => {
    const { request, forget, folder } = await sentScene();
    await verifyDestination(request);
    const stopping = new AbortController();
    const interrupted = purge({
      store: request.store,
      clock: request.clock,
      confirm: async () => true,
      stopping: stopping.signal,
      progress: atUpdate(1, () => stopping.abort()),
    });
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect(filesWithContent(folder)).toContain('chatferry.db');
    expect(await forget()).toMatchObject({ purged: count, exit: 0 });
    expect(filesWithContent(folder)).toEqual([]);
    expect(await verifyDestination(request)).toMatchObject({ exit: 0, report: { verify: allSame } });
  });

  it('does nothing if the answer is no', async () => {
    const { request, forget, folder } = await sentScene();
    await verifyDestination(request);
    expect(await forget(false)).toMatchObject({ exit: 2, purged: 0 });
    expect(filesWithContent(folder)).toContain('chatferry.db');
  });

  it('keeps what another destination has refused, and says so to one that has nothing yet', async () => {
    const { folder, request, forget, plans } = await sentScene();
    const here = await sessionRequest(folder);
    await importExport(here);
    const db = new Database(request.store);
    db.exec(`UPDATE delivery SET state = 'failed' WHERE message = 1 AND destination = 2`);
    db.close();
    await verifyDestination(request);
    const known = { ...request, to: request.to };
    await purge({ ...known, target: known, confirm: async (plan) => plans.push(plan) > 0 });
    expect(plans).toMatchObject([{ messages: count - 1, neededElsewhere: 1 }]);
    expect((await verifyDestination(here)).report.verify).toMatchObject({
      same: expect.any(Number),
      different: 0,
      missing: 0,
    });
    const other = await servedFaulty(home.make());
    const elsewhere = importExport({ ...request, to: other.url });
    await expect(elsewhere).rejects.toThrow(`Cannot send: the content of ${count - 1} pending messages was purged`);
    await expect(forget()).resolves.toMatchObject({ purged: 0 });
  });
});
