import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../../src/fetch/files.ts';
import { loadProvider } from '../../src/fetch/load-recipe.ts';
import type { Manifest } from '../../src/fetch/manifest.ts';
import { run } from '../cli/in-process.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { frontDialect } from './mock/front.ts';
import { gorgiasDialect } from './mock/gorgias.ts';
import { helpscoutDialect } from './mock/helpscout.ts';
import { hubspotDialect } from './mock/hubspot.ts';
import { type Dialect, type MockOptions, startMock } from './mock/mock-provider.ts';
import { addConversation, addMessage, makeWorld, type World } from './mock/world.ts';
import { zendeskDialect } from './mock/zendesk.ts';

const home = temporaryFolder();

async function fetchFrom(dialect: Dialect, world: World, more: readonly string[] = [], options: MockOptions = {}) {
  const folder = home.make();
  const mock = await startMock(dialect, world, options);
  const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const recipe = localRecipe(dialect.provider, mock.url, folder);
  const { code, stdout } = await run(
    ['fetch', '--recipe', recipe, ...set, '--out', 'out', '--rate', '60000', '--json', '--quiet', ...more],
    { folder, env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' } },
  );
  const { manifest } = JSON.parse(stdout) as { readonly manifest: Manifest };
  const asked = mock.requests.map((request) => decodeURIComponent(request));
  return { folder, code, manifest, asked };
}

const privateOf = (world: World) =>
  world.conversations.flatMap(({ messages }) => messages.filter(({ isPrivate }) => isPrivate));

describe.each([zendeskDialect, hubspotDialect, helpscoutDialect, frontDialect, gorgiasDialect])(
  'what agents say among themselves at $provider',
  (dialect) => {
    it('is fetched and counted, and stays where it is', async () => {
      const world = makeWorld(4, 30);
      const { folder, code, manifest } = await fetchFrom(dialect, world);
      const hidden = Object.values(manifest.steps).reduce((sum, step) => sum + step.private, 0);
      expect({ code, hidden }).toEqual({ code: 0, hidden: privateOf(world).length });
      expect((await run(['import', 'out', '--quiet'], { folder })).code).toBe(0);
      const texts = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].flat();
      expect(texts.length).toBe(120 - hidden);
      for (const { text } of privateOf(world)) expect(texts).not.toContain(text);
    });
  },
);

it.each([zendeskDialect, hubspotDialect, helpscoutDialect, frontDialect, gorgiasDialect])(
  'a job fetches everything from $provider, then what is new, and imports each message once',
  async (dialect) => {
    const folder = home.make();
    const world = makeWorld(4, 4);
    const mock = await startMock(dialect, world);
    const recipe = localRecipe(dialect.provider, mock.url, folder);
    writeFileSync(recipe, readFileSync(recipe, 'utf8').replace(/perMinute: \d+/, 'perMinute: 60000'));
    const { provider, settings } = dialect;
    const key = { apiKeyVariable: 'DESK_TOKEN' };
    const job = {
      name: 'desk',
      export: { provider: { name: provider, recipe: `./${provider}.yaml`, settings, ...key } },
    };
    writeFileSync(join(folder, 'chatferry.yaml'), JSON.stringify({ to: 'sandbox', jobs: [job] }));
    const sync = () =>
      run(['sync', '--once', '--config', 'chatferry.yaml', '--quiet'], { folder, env: { DESK_TOKEN: 'f'.repeat(32) } });
    expect((await sync()).code).toBe(0);
    const asked = mock.requests.length;
    addMessage(world, world.conversations[1]!, Date.now());
    addMessage(world, addConversation(world), Date.now());
    expect((await sync()).code).toBe(0);
    const again = mock.requests.slice(asked).map((request) => decodeURIComponent(request));
    expect(
      again.filter((request) => /\/(?:comments|messages|threads)(?:\.json)?\?|\/threads$/.test(request)).length,
    ).toBeLessThan(6);
    const texts = [...sandboxContents(join(folder, 'chatferry-desk.sandbox.db')).values()].flat();
    for (const { messages } of world.conversations)
      for (const { text, isPrivate } of messages)
        expect(texts.filter((one) => one === text).length).toBe(isPrivate ? 0 : 1);
  },
);

it.each([zendeskDialect, helpscoutDialect, frontDialect])(
  '$provider gives the files of messages, and the export names them',
  async (dialect) => {
    const { folder, code, manifest } = await fetchFrom(dialect, makeWorld(2, 60), ['--with-files']);
    expect({ code, files: manifest.files }).toEqual({ code: 0, files: { here: 3 } });
    const { stdout } = await run(['convert', 'out', '--out', '-', '--quiet'], { folder });
    const rows = stdout.split('\n').filter((row) => row.includes('leak.txt'));
    expect(rows.length).toBe(3);
    for (const row of rows) expect(row).toMatch(/"url":"[^"]*files\/[0-9a-f]{2}\/[0-9a-f]{40}-leak.txt"/);
  },
);

describe('zendesk', () => {
  it('is asked for a start once, then for the cursor alone, and not for comments of deleted tickets', async () => {
    const { folder, code, manifest, asked } = await fetchFrom(zendeskDialect, makeWorld(7, 3));
    expect(code).toBe(0);
    const exported = asked.filter((request) => request.includes('/incremental/tickets/'));
    expect(exported[0]).toBe('GET /api/v2/incremental/tickets/cursor.json?start_time=0');
    expect(exported.length).toBe(3);
    for (const request of exported.slice(1)) expect(request).toMatch(/cursor\.json\?cursor=[^&]+$/);
    expect(asked.some((request) => request.includes('9000000'))).toBe(false);
    expect(manifest.steps.tickets).toMatchObject({ rows: 8, removed: 1 });
    const { stdout } = await run(['plan', 'out', '--quiet'], { folder });
    expect(stdout).not.toContain('export-is-partial');
  });

  it('is asked for what changed since, with the people of it in each answer', async () => {
    const { asked } = await fetchFrom(zendeskDialect, makeWorld(2, 3), ['--since', '2026-01-01']);
    expect(asked[0]).toBe('GET /api/v2/incremental/users/cursor.json?start_time=1767225600');
    expect(asked.at(-1)).toContain('include=users');
  });

  it('ends with a gap if the export goes round in a circle', async () => {
    const round = (number: number) => ({
      json: { users: [{ id: 1 }], after_cursor: number % 2 === 0 ? 'a' : 'b', end_of_stream: false },
    });
    const before = (number: number) => (number < 110 ? round(number) : undefined);
    const { code, manifest } = await fetchFrom(zendeskDialect, makeWorld(1, 1), [], { before });
    expect({ code, why: manifest.gaps[0]?.why }).toEqual({
      code: 3,
      why: '100 pages up to page 101 have nothing new',
    });
  });
});

describe('hubspot', () => {
  it('gives threads that were put away, whole texts, and each actor once', async () => {
    const world = makeWorld(5, 40);
    const { folder, manifest, asked } = await fetchFrom(hubspotDialect, world);
    expect(manifest.steps).toMatchObject({ threads: { rows: 4 }, archivedThreads: { rows: 1 } });
    const actors = asked.filter((request) => request.includes('/actors/'));
    expect(manifest.steps.actors?.rows).toBe(new Set(readActors(folder)).size);
    expect(actors.length).toBeLessThanOrEqual(2 * world.people.length);
    await run(['import', 'out', '--quiet'], { folder });
    const texts = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].flat();
    for (const { messages } of world.conversations)
      for (const { text, isPrivate } of messages) expect(texts.includes(text)).toBe(!isPrivate);
  });

  const readActors = (folder: string) =>
    readFileSync(join(folder, 'out/actors.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: string }).id);
});

describe('helpscout', () => {
  it('gives conversations that are closed too', async () => {
    const { manifest } = await fetchFrom(helpscoutDialect, makeWorld(7, 3));
    expect(manifest.steps).toMatchObject({ conversations: { rows: 7 }, threads: { lists: 7 } });
  });

  it('names a conversation that was merged into another one, and the others come', async () => {
    const merged = { status: 301, headers: { location: '/v2/conversations/1/threads' }, json: {} };
    const before = (number: number) => (number === 4 ? merged : undefined);
    const { code, manifest } = await fetchFrom(helpscoutDialect, makeWorld(3, 3), [], { before });
    expect(code).toBe(3);
    expect(manifest.gaps).toMatchObject([{ step: 'threads', why: 'http_301: {}' }]);
    expect(manifest.steps.threads?.rows).toBe(6);
  });
});

describe('front', () => {
  it('is asked at the address of the recipe alone, though its pages name another one', async () => {
    const { code, manifest, asked } = await fetchFrom(frontDialect, makeWorld(7, 3));
    expect(code).toBe(0);
    expect(manifest.steps.conversations?.rows).toBe(7);
    expect(asked.filter((request) => request.includes('page_token=')).length).toBe(2);
  });

  it('gives files by their ids', () => {
    const { recipe } = loadProvider('front');
    const step = recipe.steps.find(({ name }) => name === 'messages')!;
    const row = { attachments: [{ id: 'fil_1', filename: 'leak.jpg', url: 'https://harbour.api.frontapp.com/x' }] };
    expect(listFiles(recipe, step, row, {})).toEqual([
      { key: 'fil_1', name: 'leak.jpg', url: 'https://api2.frontapp.com/download/fil_1' },
    ]);
  });
});
