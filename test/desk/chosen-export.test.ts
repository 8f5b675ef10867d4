import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { DeskState, HowTo, KnownSource, SourceView } from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

/** A small export, as a folder that is dropped. */
const slackFiles = Object.fromEntries(
  ['channels.json', 'users.json', 'general/2026-03-02.json'].map((name) => [
    `acme/${name}`,
    readFileSync(join(slack, name), 'utf8'),
  ]),
);

const log = '[18:30] <ann> Hi\n[18:31] <bob> Hello\n';

/** The desk in an empty folder, and what its page sends. */
async function scene(args: readonly string[] = [], folder = home.make()) {
  const desk = await openDesk(args, folder);
  const json = { 'content-type': 'application/json' };
  const own = { origin: desk.origin, 'sec-fetch-site': 'same-origin', 'x-chatferry': 'desk' };
  const upload = (given: Readonly<Record<string, string | number>>, bytes: string | Uint8Array<ArrayBuffer>) => {
    const place = new URLSearchParams(
      Object.entries({ modified: 1_000, ...given }).map(([name, value]) => [name, `${value}`]),
    );
    const headers = { ...own, 'content-type': 'application/octet-stream' };
    return desk.request(`/desk/data/upload?${place}`, { method: 'PUT', headers, body: bytes });
  };
  /** Copies files as the page does. */
  const drop = async (files: Readonly<Record<string, string>>) => {
    const listed = Object.entries(files).map(([name, text]) => ({
      ...{ name, size: Buffer.byteLength(text), modified: 1_000 },
    }));
    for (const { name, size } of listed) expect((await upload({ name, at: 0, size }, files[name]!)).status).toBe(200);
    return await desk.send('upload-end', JSON.stringify({ files: listed }));
  };
  const remove = () => desk.request('/desk/data/files', { method: 'DELETE', headers: { ...own, ...json }, body: '{}' });
  const view = () => desk.ask<SourceView>('source');
  const config = () => readFileSync(join(folder, 'chatferry.yaml'), 'utf8');
  return { ...desk, folder, own, upload, drop, remove, view, config };
}

/** Answer to a PUT with headers that `fetch` would not send. */
const answerTo = (address: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method: 'PUT', headers }, (answer) => resolve(text(answer)));
    sent.on('error', reject).end('x');
  });

const errorIn = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

describe('an export that is chosen in the page', () => {
  it('is none at first, and then the files that were dropped', async () => {
    const { view, drop, counted, config, ask } = await scene(['--source', 'irc']);
    expect(await view()).toMatchObject({ exports: [], source: null, error: null, dropped: null });
    const ended = await drop({ 'logs/a.log': log, 'logs/b.log': log });
    expect([ended.status, await ended.json()]).toEqual([
      200,
      expect.objectContaining({
        dropped: { folder: './chatferry-desk.files', files: 2, bytes: 74, unfinishedBytes: 0 },
      }),
    ]);
    expect(config()).toContain('export: chatferry-desk.files/logs\n');
    expect((await counted()).run).toMatchObject({ kind: 'inspect', outcome: 'Done' });
    expect(await view()).toMatchObject({
      exports: [expect.stringMatching(/chatferry-desk\.files\/logs$/)],
      source: { name: 'irc' },
    });
    expect((await ask<DeskState>('state')).steps[0]).toMatchObject({ step: 'source', status: 'done' });
  });

  it('takes the place of the one before, whose source is forgotten', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'chatferry.yaml'), '# Ours\nexport: ./old.zip\nsource: slack\nretentionDays: 30\n');
    const { drop, config } = await scene(['--config', 'chatferry.yaml'], folder);
    expect((await drop({ 'a.log': log })).status).toBe(200);
    expect(config()).toBe('# Ours\nexport: chatferry-desk.files/a.log\nretentionDays: 30\n');
  });

  it('is told from its folder, wherever the configuration is', async () => {
    const folder = home.make();
    mkdirSync(join(folder, 'settings'));
    writeFileSync(join(folder, 'settings/own.yaml'), 'export: ../old.zip\n');
    const { drop, view } = await scene(['--config', 'settings/own.yaml'], folder);
    await drop({ 'a.log': log });
    expect(readFileSync(join(folder, 'settings/own.yaml'), 'utf8')).toBe('export: "../chatferry-desk.files/a.log"\n');
    expect((await view()).exports).toEqual([join(folder, 'chatferry-desk.files/a.log')]);
  });

  it('is no export any more once its copies are deleted', async () => {
    const { drop, remove, view, folder, config, ask } = await scene(['--source', 'irc']);
    await drop({ 'a.log': log });
    const removed = await remove();
    expect([removed.status, await removed.json()]).toEqual([
      200,
      expect.objectContaining({ exports: [], dropped: null }),
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('chatferry-desk'))).toEqual([]);
    expect(config()).not.toMatch(/^export/m);
    expect(await view()).toMatchObject({ exports: [], source: null, error: null });
    expect((await ask<DeskState>('state')).next).toBe('source');
  });

  it('offers the sources when none recognises it, and is read as the one that the user names', async () => {
    const { drop, view, change, config, counted, ask } = await scene();
    await drop({ 'one.json': '{"at":"2026-03-02T10:00:00Z","by":"ann","said":"Hi"}' });
    await expect
      .poll(async () => (await view()).error?.message, { timeout: 60_000 })
      .toMatch(/no source recognises it/);
    const { readAs } = await view();
    expect([readAs?.source, readAs?.sources.find(({ name }) => name === 'json')]).toEqual([
      null,
      {
        ...{ name: 'json', title: expect.stringContaining('JSON') },
        command: expect.stringMatching(/chatferry init --source json \S*one\.json$/),
      },
    ]);
    const refused = await change<{ error: { message: string } }>('read-as', { source: 'toString' });
    expect([refused.status, refused.answer.error.message]).toEqual([422, expect.stringContaining('no such source')]);
    expect((await change('read-as', { source: 'json', version: 'old' })).status).toBe(409);
    expect((await change('read-as', { source: 'json' })).status).toBe(200);
    expect(config()).toContain('source: json\n');
    await counted();
    const read = await view();
    expect([read.error, read.readAs?.source, read.inputs]).toEqual([
      null,
      'json',
      [{ label: 'one.json', because: null }],
    ]);
    expect(read.questions.map(({ question }) => question)).toContain('Which column holds what was written?');
    expect((await change('read-as', { source: null })).status).toBe(200);
    expect(config()).not.toMatch(/^source/m);
    await expect
      .poll(async () => (await view()).error?.message, { timeout: 60_000 })
      .toMatch(/no source recognises it/);
    expect((await ask<DeskState>('state')).steps[0]).toMatchObject({ step: 'source', status: 'open' });
  });

  it('offers no source where a flag names one', async () => {
    const { drop, view, counted } = await scene(['--source', 'irc']);
    await drop({ 'a.log': log });
    await counted();
    expect([(await view()).readAs, (await view()).inputs]).toEqual([
      null,
      [expect.objectContaining({ label: 'a.log' })],
    ]);
  });

  it('leaves nothing of itself in sight once it is no export any more', async () => {
    const { drop, view, folder, counted, ask } = await scene();
    await drop({ 'rooms.json': JSON.stringify([{ sent: '2026-03-02', who: 'ann', said: 'Hi' }]) });
    await counted();
    expect((await view()).questions).not.toEqual([]);
    rmSync(join(folder, 'chatferry.yaml'));
    expect((await ask<DeskState>('state')).commands.source).toEqual([]);
    expect(await view()).toMatchObject({ exports: [], source: null, inputs: [], counts: null, readAs: null });
    expect(await view()).toMatchObject({ tables: [], questions: [], notes: [], next: null });
    for (const name of ['parts', 'ignored', 'cards']) expect(await ask(name)).toMatchObject({ rows: [], next: null });
  });

  it('stays what it is when copies are deleted that are not it', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'own.yaml'), '');
    const { drop, remove } = await scene(['--config', 'own.yaml'], folder);
    await drop({ 'a.log': log });
    writeFileSync(join(folder, 'own.yaml'), 'export: ./other.log\n');
    expect((await remove()).status).toBe(200);
    expect(readFileSync(join(folder, 'own.yaml'), 'utf8')).toBe('export: ./other.log\n');
  });

  it('is kept while messages of it are to be sent somewhere', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'own.yaml'), 'to: https://chat.example.com\n');
    const { drop, remove, ran, counted } = await scene(['--config', 'own.yaml'], folder);
    await drop(slackFiles);
    await counted();
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done', error: null });
    const refused = await remove();
    expect([refused.status, (await errorIn(refused)).code]).toEqual([409, 'DESK_STILL_NEEDED']);
    expect(existsSync(join(folder, 'chatferry-desk.files/acme/users.json'))).toBe(true);
  });

  it('takes nothing in the files for a setting', async () => {
    const { drop, view, counted, folder } = await scene(['--source', 'irc']);
    await drop({
      'logs/a.log': log,
      'logs/chatferry.yaml': 'store: ./stolen.db\nto: https://evil.example.com\n',
      'logs/chatferry.mapping.yaml': 'messages: [',
    });
    await counted();
    expect(await view()).toMatchObject({ error: null, source: { name: 'irc' } });
    expect(readdirSync(folder).filter((name) => name.includes('stolen'))).toEqual([]);
  });

  it('says how many of its messages the destination would refuse, as soon as both are known', async () => {
    const { send, counted, change, view, folder } = await scene();
    expect((await send('sample', '{}')).status).toBe(200);
    expect(existsSync(join(folder, 'chatferry-desk.files/slack-sample/users.json'))).toBe(true);
    await counted();
    const { older: none, counts } = await view();
    expect([none, counts]).toEqual([null, expect.objectContaining({ messages: 35, files: 18, per: 'quarter' })]);
    expect(counts!.bins.filter(({ count }) => count > 0)).toEqual([
      { label: 'Q3 2016', count: 3 },
      { label: 'Q4 2016', count: 2 },
      { label: 'Q1 2026', count: 30 },
    ]);
    const app = { kind: 'app', appId: 'a1', region: 'eu' };
    // The last message of the sample is of 2026-03-05.
    const days = Math.ceil((Date.now() - Date.UTC(2020, 0, 1)) / 86_400_000);
    for (const [retentionDays, older] of [
      ['1', { days: 1, count: 35, total: 35 }],
      [`${days}`, { days, count: 5, total: 35 }],
      ['unlimited', null],
    ] as const) {
      expect((await change('destination', { ...app, retentionDays })).status).toBe(200);
      expect((await view()).older).toEqual(older);
    }
  });

  it('is explained for every source', async () => {
    const { ask } = await scene();
    const sources = await ask<readonly KnownSource[]>('sources');
    expect(sources.length).toBeGreaterThan(40);
    for (const { name, title } of sources) {
      const how = await ask<HowTo>(`how-to?source=${name}`);
      expect([name, how.title]).toEqual([name, title]);
      expect((how.text + how.commands).length).toBeGreaterThan(200);
      expect(how.text).not.toContain('chatferry inspect');
    }
    expect(await ask('how-to?source=../index')).toMatchObject({ error: { code: 'DESK_REFUSED' } });
  });

  it('is not taken under a name that leads elsewhere', async () => {
    const { upload, folder } = await scene();
    const refused = await upload({ name: '../x.txt', at: 0, size: 1 }, 'x');
    expect([refused.status, await errorIn(refused)]).toEqual([
      422,
      expect.objectContaining({ code: 'DESK_REFUSED', message: expect.stringContaining('leads to another folder') }),
    ]);
    expect(existsSync(join(folder, '../x.txt'))).toBe(false);
  });

  it('is not taken in parts that are none', async () => {
    const { upload, send, view } = await scene();
    for (const given of [
      { at: 0, size: 1 },
      { name: '', at: 0, size: 1 },
      { name: 'a', at: '0x1', size: 1 },
      { name: 'a', at: -1, size: 1 },
      { name: 'a', at: 0, size: '1e3' },
      { name: 'a', at: 1, size: 1 },
      { name: 'a', at: 0, size: 1, mode: 777 },
    ])
      expect([given, (await upload(given, 'x')).status]).toEqual([given, 400]);
    const size = 8 * 1024 * 1024 + 1;
    expect((await upload({ name: 'a', at: 0, size }, new Uint8Array(size))).status).toBe(400);
    for (const files of [
      '',
      '[]',
      '[{"name":"a","size":1}]',
      '[{"name":"a","size":-1,"modified":0}]',
      '[{"name":"a","size":1,"modified":0,"at":0}]',
    ])
      expect([files, (await send('upload-end', `{"files":${files}}`)).status]).toEqual([files, 400]);
    expect((await view()).dropped).toBeNull();
    expect((await upload({ name: 'a', at: 0, size }, new Uint8Array(size - 1))).status).toBe(200);
    expect((await view()).dropped).toMatchObject({ files: 0, unfinishedBytes: size - 1 });
  });

  it('refuses a browser that was not let in before a body of any length is read', async () => {
    const { origin } = await scene();
    const headers = { 'transfer-encoding': 'chunked' };
    const answered = new Promise<string>((resolve, reject) => {
      const sent = request(`${origin}/desk/data/upload`, { method: 'PUT', headers }, (answer) => resolve(text(answer)));
      // The body never ends.
      sent.on('error', reject).write('x');
    });
    expect(await answered).toContain('Open the address that chatferry printed');
  });

  it('changes nothing for another page, nor for a browser that was not let in', async () => {
    const { request: ask, own, origin, folder, entrance } = await scene();
    const bytes = { ...own, 'content-type': 'application/octet-stream' };
    const json = { ...own, 'content-type': 'application/json' };
    const database = JSON.stringify({ version: '', kind: 'database', address: 'postgres://reader@127.0.0.1/app' });
    const writes = [
      ['PUT', 'upload?name=a&at=0&size=1&modified=0', 'x', bytes],
      ['POST', 'upload-end', '{"files":[{"name":"a","size":1,"modified":0}]}', json],
      ['DELETE', 'files', '{}', json],
      ['POST', 'export', database, json],
      ['POST', 'password', '{"password":"hush"}', json],
    ] as const;
    const wrong: readonly (readonly [string, Record<string, string | undefined>])[] = [
      ['another origin', { origin: 'http://evil.example' }],
      ['no origin', { origin: undefined }],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another port', { 'sec-fetch-site': 'same-site' }],
      ['no site', { 'sec-fetch-site': undefined }],
      ['no header of ours', { 'x-chatferry': undefined }],
      ['the type of a form', { 'content-type': 'text/plain' }],
      ['no cookie', { cookie: 'other=1' }],
    ];
    for (const [method, name, body, headers] of writes) {
      for (const [what, changed] of wrong) {
        const given = Object.entries({ ...headers, ...changed }).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        );
        const answer = await ask(`/desk/data/${name}`, { method, body, headers: Object.fromEntries(given) });
        expect([name, what, answer.status]).toEqual([name, what, 403]);
      }
    }
    const headers = { ...bytes, host: 'evil.example', origin: 'http://evil.example' };
    expect(await answerTo(`${origin}/desk/data/upload?name=a&at=0&size=1&modified=0`, headers)).toContain(
      'localhost only',
    );
    // Its secret was used by the browser that is in.
    expect((await fetch(entrance, { redirect: 'manual', headers: { connection: 'close' } })).status).toBe(403);
    expect(origin).toContain('127.0.0.1');
    expect(readdirSync(folder).filter((name) => name.startsWith('chatferry'))).toEqual([]);
  });
});
