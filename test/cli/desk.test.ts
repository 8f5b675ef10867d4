import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DeskRun, DeskState, IgnoredRow, Page, PartRow, SourceView } from '../../src/desk/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { env, openDesk } from './desk-scene.ts';
import { run, start } from './in-process.ts';

const home = temporaryFolder();
const sample = (path: string) => join(import.meta.dirname, '../../samples', path);
const scene = (args: readonly string[], folder = home.make()) => openDesk(args, folder);

describe('chatferry desk', () => {
  it('shows what recognises an export, what it holds, and what is ignored', async () => {
    const path = sample('slack/every-feature/export');
    const withThread: typeof start = (args, where) => start(args, { ...where, realThreads: true });
    const { ask, counted } = await openDesk([path], home.make(), withThread);
    expect(await counted()).toMatchObject({ folder: process.cwd(), run: { outcome: 'Done', exit: 0 } });
    expect(await ask<SourceView>('source')).toMatchObject({
      exports: [path],
      source: { name: 'slack', title: 'Slack export (folder or ZIP)' },
      inputs: [{ label: 'export', because: '"channels.json", "dms.json", "groups.json" at the top' }],
      error: null,
      counts: { messages: 35, system: 7, people: 8, conversations: 8, invalid: 0, problems: 1 },
      questions: [],
      command: expect.stringMatching(/chatferry inspect .*export$/),
      next: expect.stringMatching(/chatferry plan .*export$/),
    });
    const parts = await ask<Page<PartRow>>('parts?search=GENERAL');
    expect(parts.rows.map(({ path: part, rows }) => [part, rows])).toEqual([['general/*.json', 19]]);
    const ignored = await ask<Page<IgnoredRow>>('ignored');
    expect(ignored.rows).toContainEqual({
      reason: 'List of canvases; holds no messages',
      count: 1,
      first: 'canvases.json',
    });
  });

  it('says what has to be decided before a database can be counted, and names the command that asks', async () => {
    const { ask, counted } = await scene([sample('csv/two-people/export.csv')]);
    await counted();
    const view = await ask<SourceView>('source');
    expect([view.counts, view.error]).toEqual([null, null]);
    expect(view.questions.length).toBeGreaterThan(0);
    expect(view.next).toMatch(/chatferry init .*export\.csv$/);
  });

  it('says why an export cannot be read, as the commands do', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'x.txt'), 'hello');
    const { ask } = await scene(['x.txt'], folder);
    await expect.poll(async () => (await ask<SourceView>('source')).error, { timeout: 60_000 }).not.toBeNull();
    const { error, source } = await ask<SourceView>('source');
    expect([source, error?.message]).toEqual([null, expect.stringContaining('no source recognises it')]);
    expect(error?.hint).toContain('--source');
    expect((await ask<DeskState>('state')).run).toBeNull();
  });

  it('gives the options of the reading to its commands, and takes the export of the configuration', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'own.yaml'), `export: ${sample('slack/every-feature/export')}\n`);
    const { ask, counted } = await scene(['--source', 'slack', '--config', 'own.yaml'], folder);
    expect((await counted()).run?.text).toMatch(/inspect --source slack --config own\.yaml \//);
    expect(await ask<SourceView>('source')).toMatchObject({ counts: { messages: 35 } });
  });

  it('opens without an export, and waits for one', async () => {
    const { ask, program } = await scene([]);
    expect(await ask<DeskState>('state')).toMatchObject({
      ...{ error: null, run: null, next: 'source', chats: null },
      steps: [
        { step: 'source', status: 'open' },
        ...['conversations', 'decide', 'people', 'rehearse', 'go'].map((step) => ({ step, status: 'waiting' })),
      ],
    });
    expect(await ask<SourceView>('source')).toMatchObject({ exports: [], source: null, error: null });
    expect(program).toBeDefined();
  });

  it.each([
    ['standard input', ['-']],
    ['an address that holds a password', ['postgres://ann:secret-4711@db.example.com/app']],
  ])('takes no export that cannot be read again and again: not %s', async (_, args) => {
    const { code, stdout, stderr } = await run(['desk', ...args], { folder: home.make(), env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Cannot open the desk')]);
    expect(stdout + stderr).not.toContain('secret-4711');
  });

  it('counts again when the page asks for it, and takes nothing else', async () => {
    const { send, counted, ask } = await scene([sample('slack/every-feature/export')]);
    await counted();
    const before = (await ask<DeskState>('state')).version;
    const started = await send('run', '{"kind":"inspect"}');
    expect([started.status, await started.json()]).toEqual([200, expect.objectContaining({ endedAtMs: null })]);
    expect((await send('run', '{"kind":"inspect"}')).status).toBe(409);
    await counted();
    expect((await ask<DeskState>('state')).version).not.toBe(before);
    for (const body of ['', '{', '[]', '{"kind":"import"}', '{"kind":"inspect","to":"x"}'])
      expect([body, (await send('run', body)).status]).toEqual([body, 400]);
    const stopped = (await (await send('stop', '{}')).json()) as DeskRun;
    expect(stopped.outcome).toBe('Done');
  });

  it('changes nothing for another page, and answers no browser that was not let in', async () => {
    const { send, request, origin, entrance } = await scene([sample('slack/every-feature/export')]);
    const body = '{"kind":"inspect"}';
    for (const headers of [
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
      { 'x-chatferry': 'other' },
      { cookie: 'other=1' },
    ])
      expect([headers, (await send('run', body, headers)).status]).toEqual([headers, 403]);
    const connection = 'close';
    expect((await fetch(`${origin}/desk`, { headers: { connection } })).status).toBe(403);
    expect((await fetch(entrance, { redirect: 'manual', headers: { connection } })).status).toBe(403);
    const post = { method: 'POST', headers: { connection, cookie: 'x' } };
    expect((await fetch(`${origin}/desk`, post)).status).toBe(403);
    expect((await request('/desk/data/state', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await request('/desk', { method: 'POST' })).status).toBe(404);
    expect((await request('/desk/data/toString')).status).toBe(404);
    expect((await request('/desk/data/run')).status).toBe(404);
    for (const [method, status] of Object.entries({ PUT: 404, DELETE: 404, PATCH: 405, OPTIONS: 405 }))
      expect([method, (await request('/desk/data/state', { method })).status]).toEqual([method, status]);
    const page = await request('/desk');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
  it('has a page of 120 KB at most, as it is sent by servers that pack it', async () => {
    const { request } = await scene([sample('slack/every-feature/export')]);
    const parts = await Promise.all(['/desk/page.js', '/desk/page.css'].map(async (path) => await request(path)));
    const texts = await Promise.all(parts.map((part) => part.text()));
    expect(gzipSync(texts.join('')).length).toBeLessThan(120_000);
  });
});
