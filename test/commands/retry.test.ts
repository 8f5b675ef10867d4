import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { explainId, verifyDestination } from '../../src/commands/check.ts';
import { retryRefused } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import { apiKey, never } from '../scenes/bench.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { servedFaulty } from '../scenes/served-sandbox.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { RetryChoice, Retried } from '../../src/commands/results.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const ts = (second: number) => `${1_709_251_200 + second}.000100`;
const texts = Array.from({ length: 12 }, (_, index) => `message ${String(index).padStart(2, '0')}`);

function writeExport(folder: string, channel = 'one', id = 'C00000001'): void {
  writeFiles(folder, {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [{ id, name: channel, members: [ann, bob] }],
    [`${channel}/2024-03-01.json`]: texts.map((text, index) => message(ts(index), index % 2 ? ann : bob, text)),
  });
}

const allSame = { same: texts.length, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };

/** An export of which the service refused half, and how to try again. */
async function refusedScene(duplicates: 'stored' | 'refused' = 'stored') {
  const folder = home.make();
  writeExport(join(folder, 'export'));
  const served = await servedFaulty(folder, { duplicates });
  served.sandbox.plan = { rules: [{ answer: 'items-refused', operations: ['importMessages'], times: 1, share: 0.5 }] };
  const there = { to: served.url, apiKey: new Secret(apiKey) };
  const request = await sessionRequest(folder, there);
  const sent = await importExport(request);
  served.sandbox.plan = { rules: [] };
  const { failed, imported } = sent.report.totals;
  expect(failed).toBeGreaterThan(0);
  expect(imported).toBeGreaterThan(0);
  const choices: RetryChoice[] = [];
  const retry = (changes: Partial<Parameters<typeof retryRefused>[0]> = {}): Promise<Retried> =>
    retryRefused({
      ...request,
      ids: [],
      code: undefined,
      confirm: async (choice) => {
        choices.push(choice);
        return true;
      },
      ...changes,
    });
  const db = new Database(request.store, { readonly: true });
  const refusedMuids = db
    .prepare(
      `SELECT m.muid FROM delivery d JOIN message m ON m.seq = d.message WHERE d.state = 'failed' ORDER BY m.seq`,
    )
    .pluck()
    .all() as string[];
  db.close();
  return { folder, served, request, retry, choices, failed, refusedMuids };
}

const contents = (data: string) => sandboxContents(data).get('group_c00000001') ?? [];

describe('retry', () => {
  it.each(['stored', 'refused'] as const)(
    'sends rejected messages again once, as late, if duplicates are %s',
    async (duplicates) => {
      const { retry, failed, choices, served, request, refusedMuids } = await refusedScene(duplicates);
      const { report, exit } = await retry();
      expect(choices[0]).toMatchObject({
        chosen: failed,
        pending: 0,
        codes: [{ code: 'ERR_OPERATION_FAILED', chosen: failed }],
      });
      expect(report.command).toBe('retry');
      expect(report.totals).toMatchObject({ imported: texts.length, failed: 0, pending: 0 });
      expect(report.totals.late).toBeGreaterThan(0);
      expect(contents(served.data).toSorted()).toEqual(texts);
      expect(exit).toBe(0);
      expect(await verifyDestination(request)).toMatchObject({ exit: 0, report: { verify: allSame } });
      const [story] = await explainId(request.store, refusedMuids[0]!, never);
      const [delivery] = story!.deliveries;
      expect(
        delivery!.batches.map(({ command, attempts, answers }) => [
          command,
          attempts.length,
          answers.map(({ state }) => state),
        ]),
      ).toEqual([
        ['import', 1, expect.arrayContaining(['failed'])],
        ['retry', 1, ['imported']],
      ]);
      expect(delivery!.batches[0]!.answers.find(({ state }) => state === 'failed')?.code).toBe('ERR_OPERATION_FAILED');
    },
  );

  it('without the cause put right fails again, and harms nothing', async () => {
    const { retry, failed, served, request } = await refusedScene();
    served.sandbox.plan = { rules: [{ answer: 'items-refused', operations: ['importMessages'], share: 1 }] };
    const before = contents(served.data);
    const { report, exit } = await retry();
    expect(report.totals).toMatchObject({ failed, imported: texts.length - failed, pending: 0, unconfirmed: 0 });
    expect(exit).toBe(3);
    expect(contents(served.data)).toEqual(before);
    served.sandbox.plan = { rules: [] };
    expect((await retry()).report.totals).toMatchObject({ failed: 0, imported: texts.length });
    expect(await verifyDestination(request)).toMatchObject({ report: { verify: allSame } });
  });

  it('does not duplicate a message that failed but exists, before the last confirmed one', async () => {
    const folder = home.make();
    const served = await servedFaulty(folder);
    const there = { to: served.url, apiKey: new Secret(apiKey) };
    // Takes the first ids, and leaves them.
    writeExport(join(folder, 'other'), 'other', 'C00000009');
    await importExport(
      await sessionRequest(folder, { ...there, store: join(folder, 'other.db'), from: [join(folder, 'other')] }),
    );
    const server = new Database(served.data);
    server.exec('DELETE FROM message');
    writeExport(join(folder, 'export'));
    served.sandbox.plan = {
      rules: [{ answer: 'items-refused', operations: ['importMessages'], times: 1, share: 0.3 }],
    };
    const request = await sessionRequest(folder, there);
    const { failed } = (await importExport(request)).report.totals;
    expect(failed).toBeGreaterThan(0);
    served.sandbox.plan = { rules: [] };
    const greatest = server.prepare('SELECT max(id) FROM message').pluck().get() as number;
    // Another store sends to the same conversations once what the first one sent there can be seen.
    await importExport({ ...request, store: join(folder, 'second.db'), clock: fastClock() });
    server.prepare('UPDATE message SET id = id - ? WHERE id > ?').run(greatest, greatest);
    expect(contents(served.data).toSorted()).toEqual(texts);
    const { report } = await retryRefused({ ...request, ids: [], confirm: async () => true });
    expect(contents(served.data).toSorted()).toEqual(texts);
    expect(report.totals).toMatchObject({ imported: texts.length, failed: 0 });
    expect(report.requests.import).toBe(0);
    server.close();
  });

  it('leaves other content alone unless it is named', async () => {
    const { retry, choices, request, refusedMuids } = await refusedScene();
    const db = new Database(request.store);
    db.exec(`UPDATE delivery SET code = 'different-content' WHERE state = 'failed'`);
    db.close();
    expect((await retry()).report.totals.failed).toBe(refusedMuids.length);
    expect(choices[0]).toMatchObject({ chosen: 0 });
    await retry({ ids: [refusedMuids[0]!] });
    expect(choices[1]).toMatchObject({ chosen: 1 });
    const { report } = await retry({ code: 'different-content' });
    expect(report.totals).toMatchObject({ failed: 0, imported: texts.length });
  });

  it('accepts source ids, and names an id that did not fail or a code that does not exist', async () => {
    const { retry, choices, refusedMuids, request } = await refusedScene();
    const [story] = await explainId(request.store, refusedMuids[0]!, never);
    await retry({ ids: [story!.originId!] });
    expect(choices[0]).toMatchObject({ chosen: 1 });
    await expect(retry({ ids: ['m1nonsense'] })).rejects.toThrow(
      /Cannot retry "m1nonsense": no message with this id failed at /,
    );
    await expect(retry({ code: 'ERR_ELSE' })).rejects.toMatchObject({
      hint: expect.stringContaining('ERR_OPERATION_FAILED'),
    });
  });

  it('sends nothing if the answer is no', async () => {
    const { retry, served, failed } = await refusedScene();
    const before = contents(served.data);
    const { exit, report } = await retry({ confirm: async () => false });
    expect({ exit, failed: report.totals.failed }).toEqual({ exit: 2, failed });
    expect(contents(served.data)).toEqual(before);
  });
});

describe('an invalid row', () => {
  it('is planned after the fix, and sent once, as late, if later messages exist', async () => {
    const folder = home.make();
    const path = 'one/2024-03-01.json';
    const good = texts.map((text, index) => message(ts(index), ann, text));
    writeExport(join(folder, 'export'));
    const broken = good.with(3, { ...good[3]!, ts: 'no time' }).with(5, message(ts(5), ann, ' '));
    writeFiles(join(folder, 'export'), { [path]: broken });
    const first = await importExport(await sessionRequest(folder));
    expect(first.report.totals).toMatchObject({ read: 12, invalid: 2, imported: 10, late: 0 });
    writeFiles(join(folder, 'export'), { [path]: good });
    const { report, exit } = await importExport(await sessionRequest(folder));
    expect(report.totals).toMatchObject({ read: 12, invalid: 0, imported: 12, late: 2 });
    expect(exit).toBe(0);
    expect(contents(join(folder, 'chatferry.sandbox.db'))).toEqual([
      ...texts.filter((_, index) => index !== 3 && index !== 5),
      texts[3],
      texts[5],
    ]);
    expect(await verifyDestination(await sessionRequest(folder))).toMatchObject({
      exit: 0,
      report: { verify: allSame },
    });
  });
});

describe('retry --one-by-one', () => {
  /** An import that the service answers in no way as long as one message is in it. */
  async function quarantinedScene() {
    const folder = home.make();
    writeExport(join(folder, 'export'));
    const served = await servedFaulty(folder);
    const there = { to: served.url, apiKey: new Secret(apiKey) };
    const request = { ...(await sessionRequest(folder, there)), clock: fastClock() };
    const plan = await importExport({ ...request, confirm: async () => false });
    expect(plan.report.totals.pending).toBe(texts.length);
    const db = new Database(request.store, { readonly: true });
    const muid = db.prepare(`SELECT muid FROM message WHERE verdict = 'planned' ORDER BY seq LIMIT 1 OFFSET 5`).pluck();
    const poison = muid.get() as string;
    db.close();
    served.sandbox.plan = { rules: [{ answer: 'error', status: 500, muids: [poison], applied: 'nothing' }] };
    const retry = (changes: Partial<Parameters<typeof retryRefused>[0]> = {}): Promise<Retried> =>
      retryRefused({ ...request, ids: [], confirm: async () => true, ...changes });
    return { served, poison, retry, first: await importExport(request) };
  }

  it('fails a message that an import quarantined and that gets no answer, and a later retry sends it once the cause is fixed', async () => {
    const { served, poison, retry, first } = await quarantinedScene();
    const others = texts.filter((_, index) => index !== 5);
    expect([first.exit, contents(served.data)]).toEqual([5, others]);
    expect(first.report.totals).toMatchObject({ imported: 11, pending: 1, failed: 0 });
    expect(first.report.stopped?.hint).toContain('chatferry retry --one-by-one');
    const usual = await retry();
    expect([usual.exit, usual.choice.quarantined, usual.report.totals.pending]).toEqual([5, 1, 1]);
    const decided = await retry({ oneByOne: true });
    expect([decided.exit, decided.choice.quarantined]).toEqual([3, 1]);
    expect(decided.report.totals).toMatchObject({ imported: 11, pending: 0, failed: 1 });
    served.sandbox.plan = { rules: [] };
    const { report } = await retry({ ids: [poison] });
    expect(report.totals).toMatchObject({ imported: 12, pending: 0, failed: 0 });
    expect(contents(served.data)).toEqual([...others, texts[5]]);
  });

  it('is not mixed with messages or codes that are named', async () => {
    const { retry } = await quarantinedScene();
    await expect(retry({ oneByOne: true, ids: ['m1'] })).rejects.toThrow(
      'Cannot retry --one-by-one with ids or --code',
    );
  });
});
