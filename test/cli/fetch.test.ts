import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService, handOn } from './fake-service.ts';
import { run, runJson, type ServedSandbox, serveSandbox, start, testKey } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

// biome-ignore lint/suspicious/noExplicitAny: the service's own shape, as it comes
type Listed = Record<string, any>;

/** Returns a listed message without the values that each service creates itself: its ids, and the times of receipt. */
function essence(row: Listed, muids: ReadonlySet<string>): unknown {
  const { sender, receiver, receiverType, conversationId, sentAt, category, type, data } = row;
  const { text, attachments, metadata, entities } = data;
  const { thread, quote, key, ...kept } = metadata.chatferry;
  const { avatar, name } = entities.sender.entity;
  // A link to what was never sent leads nowhere, and is not migrated on.
  const links = { isReply: muids.has(thread), isQuote: muids.has(quote) };
  const about = { sender, name, avatar, receiver, receiverType, conversationId, group: entities.receiver.entity.name };
  return { ...about, sentAt, category, type, text, attachments, kept, links };
}

async function listed({ url }: Pick<ServedSandbox, 'url'>): Promise<Listed[]> {
  const answer = await fetch(`${url}/v3/messages?limit=1000`, { headers: { apikey: testKey } });
  return ((await answer.json()) as { data: Listed[] }).data;
}

/** By conversation, in the order of the listing. */
async function contentsOf(sandbox: Pick<ServedSandbox, 'url'>): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  const rows = await listed(sandbox);
  const muids = new Set(rows.map(({ muid }) => muid));
  for (const row of rows) {
    contents[row.conversationId] = [...(contents[row.conversationId] ?? []), essence(row, muids)];
  }
  return Object.fromEntries(Object.entries(contents).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Which message each reply belongs to, by the text and time of both. */
async function threadsOf(sandbox: Pick<ServedSandbox, 'url'>): Promise<string[]> {
  const rows = await listed(sandbox);
  const byMuid = new Map(rows.map((row) => [row.muid, row]));
  const links = rows.flatMap((row) =>
    ['thread', 'quote'].flatMap((link) => {
      const muid = row.data.metadata.chatferry[link];
      const root = byMuid.get(muid);
      return root ? [`${row.sentAt} ${link} ${root.sentAt}`] : [];
    }),
  );
  return links.sort();
}

describe('chatferry fetch', () => {
  it('migrates one app into another: same texts, order, people, times, files, threads', async () => {
    const folder = home.make();
    const [one, other] = [
      await serveSandbox(folder, { data: 'one.db' }),
      await serveSandbox(folder, { data: 'other.db' }),
    ];
    const first = await runJson(['import', everyFeature, '--to', one.url, '--yes'], { folder, env });
    expect(first.json).toMatchObject({ imported: 33, exit: 0 });

    const fetched = await runJson(['fetch', '--from', one.url, '--out', 'moved.ndjson'], { folder, env });
    expect(fetched).toMatchObject({
      code: 0,
      json: { command: 'fetch', messages: 33, conversations: 7, pages: 1, continuedFrom: 0, exit: 0 },
    });
    const inspected = await runJson(['inspect', 'moved.ndjson'], { folder });
    expect(inspected.json).toMatchObject({ source: 'chat-service', rows: 33, invalid: 0 });

    const second = await runJson(['import', 'moved.ndjson', '--store', 'moved.db', '--to', other.url, '--yes'], {
      folder,
      env,
    });
    expect(second).toMatchObject({ code: 0, json: { read: 33, planned: 33, imported: 33, invalid: 0, skipped: 0 } });
    expect(await contentsOf(other)).toEqual(await contentsOf(one));
    const threads = await threadsOf(other);
    expect(threads).toEqual(await threadsOf(one));
    expect(threads.length).toBeGreaterThan(0);
    await Promise.all([one.stop(), other.stop()]);
  });

  it('names its own flag if the address is wrong', async () => {
    const elsewhere = await fakeService((_, response) => {
      response.writeHead(404).end('{"error":{"code":"ERR_API_NOT_FOUND","message":"No such operation"}}');
    });
    const { code, stderr } = await run(['fetch', '--from', elsewhere.url, '--out', 'x.ndjson'], {
      folder: home.make(),
      env,
    });
    expect([code, stderr]).toEqual([5, expect.stringContaining('Check --from: the address is the part before /v3')]);
  });

  it('says what there is, and what to do next', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    await run(['import', everyFeature, '--to', sandbox.url, '--yes'], { folder, env });
    const { code, stdout, stderr } = await run(['fetch', '--from', sandbox.url, '--out', 'my app.ndjson'], {
      folder,
      env,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fetched {3}33 messages in 7 conversations$/m);
    expect(stdout).toMatch(/^To {8}2026-03-\d\d \d\d:\d\d UTC$/m);
    expect(stdout).toMatch(/^Next\n {2}(?:npx )?chatferry plan 'my app\.ndjson'$/m);
    expect(stdout + stderr).not.toContain(testKey);
    const nothing = await run(['fetch', '--from', sandbox.url, '--out', 'x.ndjson', '--conversation', 'lobby'], {
      folder,
      env,
    });
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('No messages in "lobby"') });
    const group = await runJson(
      [
        'fetch',
        '--from',
        sandbox.url,
        '--out',
        'y.ndjson',
        '--conversation',
        'group_c05gener00',
        '--since',
        '2026-03-03',
      ],
      { folder, env },
    );
    expect(group.code).toBe(0);
    await sandbox.stop();
  });

  it('stops with 5 if the service does not accept the key, and continues with the right one', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['fetch', '--from', sandbox.url, '--out', 'x.ndjson'];
    const wrong = await run(args, { folder, env: { CHATFERRY_API_KEY: 'wrong-key-11d2' } });
    expect(wrong.code).toBe(5);
    expect(wrong.stderr).toContain('it continues at the end of x.ndjson.partial');
    expect(wrong.stderr).not.toContain('wrong-key-11d2');
    expect((await run(args, { folder, env })).code).toBe(0);
    await sandbox.stop();
  });

  it('an interrupted run ends with 130, and the same command continues it', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    await run(['import', everyFeature, '--to', sandbox.url, '--yes'], { folder, env });
    let interrupt: (() => void) | undefined;
    let asked = 0;
    const proxy = await fakeService((request, response) => {
      asked += 1;
      if (asked === 3 && interrupt) interrupt();
      else void handOn(request, response, sandbox.url);
    });
    const args = ['fetch', '--from', proxy.url, '--page-size', '10', '--out', 'x.ndjson'];
    const { kill, ended } = start(args, { folder, env });
    interrupt = () => kill('SIGINT');
    expect((await ended).code).toBe(130);
    interrupt = undefined;
    const { json } = await runJson(args, { folder, env });
    expect(json).toMatchObject({ messages: 33, continuedFrom: 20 });
    await sandbox.stop();
  });

  it.each([
    ['no address', ['--out', 'x.ndjson'], '--from is missing'],
    ['no file', ['--from', 'http://127.0.0.1:9'], '--out is missing'],
    ['a packed file', ['--from', 'http://127.0.0.1:9', '--out', 'x.gz'], 'expected a plain file'],
    ['standard output', ['--from', 'http://127.0.0.1:9', '--out', '-'], 'expected a plain file'],
    ['a time without zone', ['--since', '2026-03-01T10:00'], 'Cannot use --since: expected a date'],
    ['a page size of 0', ['--page-size', '0'], 'Cannot use --page-size'],
    [
      'times that are exchanged',
      ['--from', 'http://127.0.0.1:9', '--out', 'x', '--since', '2026-03-02', '--until', '2026-03-01'],
      '--until is before --since',
    ],
    ['an address that is none', ['--from', 'chat', '--out', 'x.ndjson'], 'no provider is called "chat"'],
    ['plain http', ['--from', 'http://example.com', '--out', 'x.ndjson'], 'http would send the key unprotected'],
  ])('%s ends with 2 and is named', async (_, args, words) => {
    const { code, stdout, stderr } = await run(['fetch', ...args], { folder: home.path, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('does not replace a file', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'x.ndjson'), 'mine');
    const { code, stderr } = await run(['fetch', '--from', 'http://127.0.0.1:9', '--out', 'x.ndjson'], { folder, env });
    expect(code).toBe(2);
    expect(stderr).toContain('it exists already\n  Pass --force');
    expect(readFileSync(join(folder, 'x.ndjson'), 'utf8')).toBe('mine');
  });
});
