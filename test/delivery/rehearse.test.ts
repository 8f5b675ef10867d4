import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { errorExitCode } from '../../src/model/exit-codes.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { readStatus, verifyDestination } from '../../src/commands/check.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { never } from '../scenes/bench.ts';
import { type GeneratedExport, makeExport } from '../scenes/make-export.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { Outcome } from '../../src/commands/results.ts';

const home = temporaryFolder();
const key = 'rehearsal-key';

let folder: string;
let made: GeneratedExport;
beforeEach(() => {
  folder = home.make();
  made = makeExport(join(folder, 'export'), { seed: 9, messages: 120, channels: 2, directs: 2, groupDirects: 1 });
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  onTestFinished(() => {
    delete process.env.CHATFERRY_STATE_DIR;
  });
});

const store = () => join(folder, 'chatferry.db');

async function request(to: string) {
  return {
    to,
    store: store(),
    from: [made.folder],
    allowMappingChange: false,
    mapping: await loadMapping(undefined),
    overrides: {},
    apiKey: new Secret(key),
    concurrency: 4,
    clock: fastClock(),
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    sendProfiles: 'first' as const,
    maxFailureShare: 1,
    verify: true,
    confirm: async () => true,
  };
}

const importTo = async (to: string): Promise<Outcome> => importExport(await request(to));
const verifyAt = async (to: string): Promise<Outcome> => verifyDestination(await request(to));

/** A server of this process, and its data file. */
async function server(name = 'server.db'): Promise<{ url: string; data: string }> {
  const data = join(folder, name);
  const sandbox = createSandbox({ store: openSandboxStore(data), apiKey: key, profile: 'spec', clock: systemClock });
  const served = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await served.close(100);
    sandbox.close();
  });
  return { url: served.url, data };
}

const allThere = () => ({ read: made.read, planned: made.planned, imported: made.planned, existing: 0, pending: 0 });

describe('a plan that was rehearsed in the sandbox', () => {
  it('is sent to a server from the same store, with totals of its own', async () => {
    const { url, data } = await server();
    expect(await importTo('sandbox')).toMatchObject({ exit: 0, report: { totals: allThere() } });
    const before = (await planExport(await request(url))).report;
    expect(before.totals).toMatchObject({ imported: 0, pending: made.planned });
    expect(await importTo(url)).toMatchObject({ exit: 0, report: { totals: allThere() } });
    expect(byName(sandboxContents(data))).toEqual(byName(made.conversations));
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db')))).toEqual(byName(made.conversations));
    for (const to of [`${url}/`, 'sandbox']) {
      const { report } = await planExport(await request(to));
      expect(report.totals, to).toMatchObject(allThere());
    }
    expect(readStatus({ store: store(), clock: systemClock }, 'status')).toMatchObject({
      destination: { name: url },
      totals: allThere(),
    });
  });

  it('is the same at two servers', async () => {
    const [first, second] = [await server('first.db'), await server('second.db')];
    await importTo(first.url);
    await importTo(second.url);
    const rows = (path: string) => {
      const db = new Database(path, { readonly: true });
      const found = db
        .prepare('SELECT muid, sender, receiver, receiver_type, data, sent_at FROM message ORDER BY muid')
        .all();
      db.close();
      return found;
    };
    expect(rows(first.data)).toEqual(rows(second.data));
  });
});

describe('verify', () => {
  const nothingWrong = { missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };
  const columns = 'muid, conversation, sender, receiver, receiver_type, category, type, data, tags, sent_at';
  /** In the middle of the largest conversation. */
  const someId = `(SELECT id FROM message WHERE conversation = 1 ORDER BY id LIMIT 1 OFFSET 20)`;

  type Tampering = [what: string, sql: string, found: Readonly<Record<string, number>>, exit: number, kind: string];
  const tampered: Tampering[] = [
    ['nothing', 'SELECT 1', {}, 0, ''],
    ['a message that is gone', `DELETE FROM message WHERE id = ${someId}`, { missing: 1, same: -1 }, 6, 'missing'],
    [
      'a message that is there twice',
      `INSERT INTO message (${columns}) SELECT ${columns} FROM message WHERE id = ${someId}`,
      { duplicated: 1 },
      6,
      'duplicated',
    ],
    [
      'one changed character',
      `UPDATE message SET data = replace(data, ' end"', ' enD"') WHERE id = ${someId}`,
      { different: 1, same: -1 },
      6,
      'different',
    ],
    [
      'a message of somebody else',
      `INSERT INTO message (${columns}) SELECT 'not-ours', conversation, sender, receiver, receiver_type, category, type, '{"text":"hello"}', tags, sent_at
       FROM message WHERE id = ${someId}`,
      { foreign: 1 },
      0,
      '',
    ],
    [
      'a message of our shape that the store does not know',
      `INSERT INTO message (${columns}) SELECT 'm1aaaaaaaaaaaaaaaaaaaaaaaaa', conversation, sender, receiver, receiver_type, category, type, data, tags, sent_at
       FROM message WHERE id = ${someId}`,
      { extra: 1 },
      6,
      'extra',
    ],
    [
      'a message at another place',
      `UPDATE message SET id = 100000 WHERE id = ${someId}`,
      { different: 1, same: -1 },
      6,
      'different',
    ],
    [
      'a message of another time',
      `UPDATE message SET sent_at = sent_at + 1 WHERE id = ${someId}`,
      { different: 1, same: -1 },
      6,
      'different',
    ],
    [
      'a message in the name of somebody else',
      `UPDATE message SET sender = (SELECT id FROM user WHERE id <> sender LIMIT 1) WHERE id = ${someId}`,
      { different: 1, same: -1 },
      6,
      'different',
    ],
  ];

  it.each(tampered)('finds %s, and nothing else', async (_, sql, found, exit, kind) => {
    const { url, data } = await server();
    await importTo(url);
    const db = new Database(data);
    const statement = db.prepare(sql);
    if (statement.reader) statement.all();
    else expect(statement.run().changes).toBe(1);
    db.close();
    const same = made.planned + (found.same ?? 0);
    const outcome = await verifyAt(url);
    expect(outcome.report.verify).toEqual({ ...nothingWrong, ...found, same });
    expect(outcome.exit).toBe(exit);
    expect(outcome.report.differences.map((difference) => difference.kind)).toEqual([kind].filter(Boolean));
  });

  it('finds every message of a conversation that is gone', async () => {
    const { url, data } = await server();
    await importTo(url);
    const db = new Database(data);
    const { changes } = db.prepare('DELETE FROM message WHERE conversation = 2').run();
    db.close();
    expect((await verifyAt(url)).report.verify).toMatchObject({ missing: changes, same: made.planned - changes });
  });

  it('does not call it good when the sandbox is gone in which the import was rehearsed', async () => {
    await importTo('sandbox');
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `chatferry.sandbox.db${end}`), { force: true });
    const failure = await verifyAt('sandbox').then(
      ({ exit }) => exit,
      (error: unknown) => errorExitCode(error),
    );
    expect(failure).not.toBe(0);
  });

  it('does not call it good where nothing was sent', async () => {
    const { url } = await server();
    await importTo('sandbox');
    const failure = await verifyAt(url).then(
      ({ exit }) => exit,
      (error: unknown) => errorExitCode(error),
    );
    expect(failure).not.toBe(0);
    expect(readStatus({ store: store(), clock: systemClock }, 'status').totals).toMatchObject(allThere());
  });
});
