import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { messagesOf } from '../contracts/source/check.ts';
import { readAll } from '../contracts/source.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { type MockAnswer, startMock } from './mock/mock-provider.ts';
import { addMessage, makeWorld, textsOf, type World } from './mock/world.ts';
import { zulipDialect } from './mock/zulip.ts';

const zulip = sourceNamed('zulip');

const home = temporaryFolder();
const key = '0123456789abcdef0123456789abcdef';

/** @param change What is different in an answer with messages, or another answer. */
async function fetchFrom(
  world: World,
  args: readonly string[] = [],
  change: (path: string, answer: MockAnswer | undefined) => MockAnswer | undefined = (_, answer) => answer,
) {
  const folder = home.make();
  const seen: { readonly path: string; readonly authorization: unknown }[] = [];
  const dialect: typeof zulipDialect = {
    ...zulipDialect,
    answer(request, of) {
      const path = `/${request.parts.join('/')}`;
      seen.push({ path, authorization: request.headers.authorization });
      return change(path, zulipDialect.answer(request, of));
    },
  };
  const mock = await startMock(dialect, world);
  const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const recipe = localRecipe('zulip', mock.url, folder);
  const ended = await run(['fetch', '--recipe', recipe, ...set, '--out', 'out', '--quiet', ...args], {
    folder,
    env: { CHATFERRY_FROM_KEY: key },
  });
  const linesOf = (name: string) =>
    readFileSync(join(folder, 'out', name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as { readonly id: number; readonly timestamp: number });
  return {
    ...ended,
    folder,
    seen,
    requests: mock.requests,
    linesOf,
  };
}

it('messages that the plan of the organisation hides are a gap of each of their lists', async () => {
  const limited = await fetchFrom(makeWorld(4, 3), [], (path, answer) =>
    path === '/api/v1/messages' ? { json: { ...(answer!.json as object), history_limited: true } } : answer,
  );
  expect(limited.code).toBe(3);
  const manifest = JSON.parse(readFileSync(join(limited.folder, 'out/chatferry-fetch.json'), 'utf8')) as {
    readonly gaps: readonly { readonly step: string; readonly why: string }[];
  };
  const why = 'the provider holds rows back (/history_limited)';
  expect(manifest.gaps.map((gap) => [gap.step, gap.why])).toEqual(
    ['messages', 'messages', 'messages', 'direct'].map((step) => [step, why]),
  );
  const { stdout } = await run(['plan', 'out'], { folder: limited.folder });
  expect(stdout).toContain(why);
});

it('nobody is asked for who was subscribed to an archived stream, and a stream that is refused is a gap', async () => {
  const { code, requests, folder, linesOf } = await fetchFrom(makeWorld(5, 3), [], (path, answer) => {
    const { streams } = (answer?.json ?? {}) as { readonly streams?: readonly { readonly stream_id: number }[] };
    if (path === '/api/v1/streams')
      return { json: { streams: streams!.map((one) => ({ ...one, is_archived: one.stream_id === 2 })) } };
    return path === '/api/v1/streams/4/members' ? { status: 400, json: { code: 'BAD_REQUEST' } } : answer;
  });
  expect(code).toBe(3);
  expect(
    requests
      .filter((request) => request.endsWith('/members'))
      .map((request) => request.split('/')[4])
      .sort(),
  ).toEqual(['1', '4', '5']);
  expect(
    readdirSync(join(folder, 'out'))
      .filter((name) => name.startsWith('subscribers'))
      .sort(),
  ).toEqual(['subscribers-1.json', 'subscribers-5.json']);
  expect(linesOf('messages.ndjson').length).toBe(12);
});

it('a fetch since a time reads the newest pages alone', async () => {
  const world = makeWorld(1, 300);
  const stamp = Date.parse('2026-04-01T00:00:00Z');
  for (const seconds of [1, 2]) addMessage(world, world.conversations[0]!, stamp + seconds * 1000);
  const { code, linesOf, requests } = await fetchFrom(world, ['--since', '2026-04-01']);
  expect(code).toBe(0);
  expect(linesOf('messages.ndjson').map(({ id }) => id)).toEqual([301, 302]);
  expect(
    requests.filter((request) => request.includes('/messages?narrow=%5B%7B%22operator%22%3A%22stream')).length,
  ).toBe(1);
});

it('a fetch of one stream has no private messages', async () => {
  const { linesOf, requests, folder } = await fetchFrom(makeWorld(4, 3), ['--only', '2']);
  expect(linesOf('messages.ndjson').length).toBe(3);
  expect(requests.some((request) => request.includes('private'))).toBe(false);
  expect(readdirSync(join(folder, 'out'))).not.toContain('direct.ndjson');
});

it('files that texts name come with the key, each once, and messages have them', async () => {
  const world = makeWorld(1, 1);
  const [conversation] = world.conversations;
  const said = (id: number, text: string) =>
    conversation!.messages.push({ id, author: 2, text, at: 1_772_442_000_000, isPrivate: false });
  said(2, 'See [the plan.pdf](/user_uploads/2/ab/plan%20b.pdf), and (/user_uploads/2/ab/plan%20b.pdf)');
  said(3, '[gone](/user_uploads/2/cd/gone.txt)');
  const { code, seen, folder } = await fetchFrom(world, ['--with-files'], (path, answer) =>
    path === '/user_uploads/2/ab/plan b.pdf' ? { json: 'a plan' } : answer,
  );
  expect(code).toBe(3);
  const asked = seen.filter(({ path }) => path.endsWith('plan b.pdf'));
  const token = Buffer.from(`${zulipDialect.settings.email}:${key}`).toString('base64');
  expect(asked).toEqual([{ path: '/user_uploads/2/ab/plan b.pdf', authorization: `Basic ${token}` }]);
  const files = readdirSync(join(folder, 'out/files'), { recursive: true }).filter((name) => /pdf$/.test(String(name)));
  expect(files.length).toBe(1);
  const { files: counts } = JSON.parse(readFileSync(join(folder, 'out/chatferry-fetch.json'), 'utf8')) as {
    readonly files: Readonly<Record<string, number>>;
  };
  expect(counts).toEqual({ here: 1, [Object.keys(counts).find((state) => state !== 'here')!]: 1 });
  const [input] = await openExport([join(folder, 'out')]);
  const attached = messagesOf(await readAll(zulip, input!)).flatMap(({ attachments = [] }) => attachments);
  expect(attached.map(({ name, unavailable }) => [name, unavailable])).toEqual([
    ['the plan.pdf', undefined],
    ['gone', 'not-in-export'],
  ]);
});

it('a job that fetches again and again imports each message once, and changes none', async () => {
  const folder = home.make();
  const world = makeWorld(3, 2);
  const mock = await startMock(zulipDialect, world);
  localRecipe('zulip', mock.url, folder);
  const { server, email } = zulipDialect.settings;
  writeFileSync(
    join(folder, 'chatferry.yaml'),
    `to: sandbox
jobs:
  - name: history
    drift: send
    export:
      provider:
        name: zulip
        recipe: ./zulip.yaml
        settings: { server: '${server}', email: ${email} }
        apiKeyVariable: ZULIP_KEY
        overlap: 24h
`,
  );
  const sync = () =>
    run(['sync', '--once', '--config', 'chatferry.yaml', '--quiet', '--json'], { folder, env: { ZULIP_KEY: key } });
  const arrived = () => [...sandboxContents(join(folder, 'chatferry-history.sandbox.db')).values()].flat();
  // Within the overlap: the second fetch has it again, and not the topic's beginning.
  for (let times = 0; times < 8; times++) addMessage(world, world.conversations[0]!, Date.now());
  const first = await sync();
  expect({ code: first.code, err: first.stderr }).toEqual({ code: 0, err: '' });
  expect(arrived().length).toBe(14);
  addMessage(world, world.conversations[0]!, Date.now());
  const second = await sync();
  expect({ code: second.code, err: second.stderr }).toEqual({ code: 0, err: '' });
  expect((JSON.parse(second.stdout) as { readonly jobs: readonly object[] }).jobs).toMatchObject([
    { added: { imported: 1, drift: {} } },
  ]);
  expect(arrived().toSorted()).toEqual([...textsOf(world).values()].sort());
});
