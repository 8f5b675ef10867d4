import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openExport } from '../../src/io/input/open-export.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { run } from '../cli/in-process.ts';
import { messagesOf } from '../contracts/source/check.ts';
import { readAll } from '../contracts/source.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { type MockOptions, startMock } from './mock/mock-provider.ts';
import { teamsDialectWith } from './mock/teams.ts';
import { addMessage, makeWorld, textsOf, type World } from './mock/world.ts';

const teams = sourceNamed('teams');

const home = temporaryFolder();

interface Asked extends MockOptions {
  readonly repliesMax?: number;
  readonly args?: readonly string[];
  readonly refuses?: (path: string) => boolean;
}

async function fetchFrom(
  world: World,
  { repliesMax = 1000, args = [], refuses = () => false, ...options }: Asked = {},
) {
  const folder = home.make();
  const dialect = teamsDialectWith(repliesMax);
  const answer: typeof dialect.answer = (request, of) =>
    refuses(`/${request.parts.join('/')}`)
      ? { status: 403, json: { error: { code: 'Forbidden' } } }
      : dialect.answer(request, of);
  const mock = await startMock({ ...dialect, answer }, world, options);
  const recipe = localRecipe('teams', mock.url, folder);
  const ended = await run(['fetch', '--recipe', recipe, '--out', 'out', '--quiet', ...args], {
    folder,
    env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' },
  });
  const out = join(folder, 'out');
  const entries = async () => readAll(teams, (await openExport([out]))[0]!);
  return { ...ended, folder, out, requests: mock.requests, ids: () => dialect.idsIn(rowsIn(out)), entries };
}

it('answers that a message has no room for are fetched from their address, each once', async () => {
  const world = makeWorld(3, 200);
  const { code, out, ids, entries } = await fetchFrom(world, { repliesMax: 2 });
  expect(code).toBe(0);
  expect(ids().toSorted((a, b) => a - b)).toEqual([...textsOf(world).keys()].sort((a, b) => a - b));
  expect(readdirSync(out).filter((name) => name.startsWith('replies-19%3A')).length).toBeGreaterThan(2);
  const read = await entries();
  expect(read.flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []))).not.toContain('teams-more-rows');
  const messages = messagesOf(read).filter(({ origin }) => origin.conversation.endsWith('tacv2'));
  expect(messages.length).toBe(200);
  expect(messages.filter(({ threadRoot }) => threadRoot === undefined).length).toBe(50);
});

it('threads that move to the front while pages are read are in the export', async () => {
  const world = makeWorld(3, 400);
  const first = textsOf(world);
  const channel = world.conversations[2]!;
  // The oldest threads, which no page has had yet, get an answer after each page.
  const before = (number: number, { conversations }: World) => {
    if (number > 20) for (let times = 0; times < 3; times++) addMessage(world, conversations[2]!);
    return undefined;
  };
  const { code, ids } = await fetchFrom(world, { before });
  expect(code).toBe(0);
  const found = new Set(ids());
  expect([...first.keys()].filter((id) => !found.has(id))).toEqual([]);
  expect(channel.messages.length).toBeGreaterThan(400);
});

it('every channel has its people: those of its team, or its own', async () => {
  const { entries } = await fetchFrom(makeWorld(9, 3));
  const membersOf = new Map(
    (await entries()).flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation'
        ? [[entry.record.name, [entry.record.type, entry.record.members!.length]] as const]
        : [],
    ),
  );
  expect(membersOf.get('Harbour 1')).toEqual(['group-direct', 2]);
  expect(membersOf.get('Harbour 3')).toEqual(['public', 7]);
  expect(membersOf.get('Harbour 6')).toEqual(['private', 2]);
  expect(membersOf.get('Harbour 9')).toEqual(['private', 2]);
});

it('a channel that the user may not read is a gap, and the others are fetched', async () => {
  const refuses = (path: string) => path.includes('cccccccc6@') && path.endsWith('/messages');
  const { code, out, entries } = await fetchFrom(makeWorld(6, 3), { refuses });
  expect(code).toBe(3);
  const { gaps } = JSON.parse(readFileSync(join(out, 'chatferry-fetch.json'), 'utf8')) as {
    readonly gaps: readonly { readonly step: string; readonly why: string }[];
  };
  expect(gaps.map(({ step, why }) => [step, why.slice(0, 8)])).toEqual([['channelMessages', 'http_403']]);
  expect(messagesOf(await entries()).length).toBe(15);
});

it('a fetch since a time reads of chats what changed since, and channels whole', async () => {
  const world = makeWorld(3, 100);
  const stamp = Date.parse('2026-04-01T00:00:00Z');
  addMessage(world, world.conversations[0]!, stamp + 1000);
  const { code, out, requests } = await fetchFrom(world, { args: ['--since', '2026-04-01'] });
  expect(code).toBe(0);
  const linesOf = (name: string) => readFileSync(join(out, name), 'utf8').trim().split('\n').length;
  expect([linesOf('chatMessages.ndjson'), linesOf('channelMessages.ndjson')]).toEqual([1, 25]);
  expect(requests.filter((request) => request.includes('lastModifiedDateTime+desc')).length).toBe(2);
});
