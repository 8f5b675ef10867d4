import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService, handOn } from './fake-service.ts';
import { run, runJson, type ServedSandbox, serveSandbox, start, testKey } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey, CHATFERRY_FROM_KEY: testKey };

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

    const fetched = await runJson(['fetch', '--from', one.url, '--out', 'moved'], { folder, env });
    expect(fetched).toMatchObject({
      code: 0,
      json: { command: 'fetch', manifest: { steps: { messages: { rows: 33 } }, gaps: [] }, exit: 0 },
    });
    const inspected = await runJson(['inspect', 'moved'], { folder });
    expect(inspected.json).toMatchObject({ source: 'chat-service', rows: 33, invalid: 0 });

    const second = await runJson(['import', 'moved', '--store', 'moved.db', '--to', other.url, '--yes'], {
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

  it('says what another service answers', async () => {
    const elsewhere = await fakeService((_, response) => {
      response.writeHead(404).end('{"error":{"code":"ERR_API_NOT_FOUND","message":"No such operation"}}');
    });
    const { code, stderr } = await run(['fetch', '--from', elsewhere.url, '--out', 'x'], {
      folder: home.make(),
      env,
    });
    expect([code, stderr]).toEqual([5, expect.stringContaining('No such operation')]);
  });

  it('says what there is, and what to do next; one conversation and a time are a part of it', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    await run(['import', everyFeature, '--to', sandbox.url, '--yes'], { folder, env });
    const fetchTo = (out: string, ...more: readonly string[]) =>
      run(['fetch', '--from', sandbox.url, '--out', out, ...more], { folder, env });
    const { code, stdout, stderr } = await fetchTo('my app');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fetched from Chat service, with 2 requests in this run$/m);
    expect(stdout).toMatch(/^ {2}messages {8}33 in 1 list$/m);
    expect(stdout).toMatch(/^Next\n {2}(?:npx )?chatferry plan 'my app'$/m);
    expect(stdout + stderr).not.toContain(testKey);
    const nothing = await fetchTo('nothing', '--only', 'lobby');
    expect(nothing).toMatchObject({ code: 3, stdout: expect.stringContaining('lobby: no list has this id') });
    expect((await runJson(['inspect', 'nothing'], { folder })).json).toMatchObject({ source: 'chat-service', rows: 0 });
    const ids = (out: string) =>
      readFileSync(join(folder, out, 'messages.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Listed);
    const one = ids('my app')[0]!.conversationId as string;
    const whole = ids('my app').filter(({ conversationId }) => conversationId === one);
    expect(await fetchTo('group', '--only', one)).toMatchObject({ code: 0 });
    expect(ids('group')).toEqual(whole);
    const from = whole.at(-3)!.sentAt as number;
    const part = ['--only', one, '--since', String(from), '--until', String(from)];
    expect(await fetchTo('part', ...part)).toMatchObject({ code: 0 });
    expect(ids('part')).toEqual(whole.filter(({ sentAt }) => sentAt === from));
    expect((await runJson(['plan', 'part', '--store', 'part.db'], { folder })).json).toMatchObject({ invalid: 0 });
    await sandbox.stop();
  });

  it('stops with 8 if the service does not accept the key, and continues with the right one', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['fetch', '--from', sandbox.url, '--out', 'x'];
    const wrong = await run(args, { folder, env: { CHATFERRY_FROM_KEY: 'wrong-key-11d2' } });
    expect(wrong.code).toBe(8);
    expect(wrong.stderr).toContain('Look at the key');
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
      void handOn(request, response, sandbox.url);
    });
    const args = ['fetch', '--from', proxy.url, '--page-size', '10', '--out', 'x'];
    const { kill, ended } = start(args, { folder, env });
    interrupt = () => kill('SIGINT');
    expect((await ended).code).toBe(130);
    interrupt = undefined;
    const before = asked;
    const { json } = await runJson(args, { folder, env });
    expect(json).toMatchObject({ manifest: { steps: { messages: { rows: 33 } }, gaps: [] }, exit: 0 });
    expect(asked - before).toBeLessThan(4);
    await sandbox.stop();
  });

  it.each([
    ['no address', ['--out', 'x'], '--from is missing'],
    ['no file', ['--from', 'http://127.0.0.1:9'], '--out is missing'],
    ['standard output', ['--from', 'http://127.0.0.1:9', '--out', '-'], '--out is missing'],
    ['a time without zone', ['--since', '2026-03-01T10:00'], 'Cannot use --since: expected a date'],
    ['a page size of 0', ['--page-size', '0'], 'Cannot use --page-size'],
    [
      'times that are exchanged',
      ['--from', 'http://127.0.0.1:9', '--out', 'x', '--since', '2026-03-02', '--until', '2026-03-01'],
      '--until is before --since',
    ],
    ['an address that is none', ['--from', 'chat', '--out', 'x'], 'no provider is called "chat"'],
    ['plain http', ['--from', 'http://example.com', '--out', 'x'], 'http would send the key unprotected'],
  ])('%s ends with 2 and is named', async (_, args, words) => {
    const { code, stdout, stderr } = await run(['fetch', ...args], { folder: home.path, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('writes into no folder that has files', async () => {
    const folder = home.make();
    mkdirSync(join(folder, 'x'));
    writeFileSync(join(folder, 'x', 'y'), 'mine');
    const { code, stderr } = await run(['fetch', '--from', 'http://127.0.0.1:9', '--out', 'x'], { folder, env });
    expect(code).toBe(2);
    expect(stderr).toContain('it has files, and no fetch was begun in it');
    expect(readFileSync(join(folder, 'x', 'y'), 'utf8')).toBe('mine');
  });
});
