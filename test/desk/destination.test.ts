import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskError, DeskState, DestinationRequest, DestinationView } from '../../src/desk/shapes.ts';
import { remember } from '../../src/lib/files/remembered-lines.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');
const token = 'key-4711-that-nobody-may-see';

type Answer = DestinationView & { readonly error: DeskError };

async function opened(variables: Record<string, string> = {}, folder = home.make()) {
  const desk = await openDesk([slack], folder, undefined, variables);
  const set = (request: Omit<DestinationRequest, 'version'>) => desk.change<Answer>('destination', request);
  const config = () => readFileSync(join(folder, 'chatferry.yaml'), 'utf8');
  return { ...desk, folder, set, config, view: () => desk.ask<DestinationView>('destination') };
}

function writeKey(folder: string, name = 'key.txt', mode = 0o600): string {
  writeFileSync(join(folder, name), `${token}\n`);
  chmodSync(join(folder, name), mode);
  return name;
}

describe('the destination', () => {
  it('is none at first, then what the page writes into the configuration, whose comments stay', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'chatferry.yaml'), '# mine\nreport: out # here\n');
    expect(await run(['trust'], { folder })).toMatchObject({ code: 0 });
    const { view, set, config } = await opened({}, folder);
    expect(await view()).toMatchObject({
      ...{ kind: 'none', appId: '', region: '', to: '', retentionDays: '', rehearsesHosted: false, address: '' },
      ...{ isKnownAddress: false, isFixed: false, key: { from: 'none', path: null, fault: null } },
    });
    const app = await set({ kind: 'app', appId: 'a1b2', region: 'eu', retentionDays: '730', rehearsesHosted: true });
    expect([app.status, app.answer]).toEqual([
      200,
      expect.objectContaining({
        ...{ kind: 'app', appId: 'a1b2', region: 'eu', to: '', retentionDays: '730', rehearsesHosted: true },
        ...{ address: expect.stringMatching(/^https:\/\/a1b2\.api-eu\./), isKnownAddress: false },
      }),
    ]);
    expect(config().split(/\n+/)).toEqual([
      '# mine',
      'report: out # here',
      'appId: a1b2',
      'region: eu',
      'retentionDays: "730"',
      'rehearseFor: hosted',
      '',
    ]);
    const address = await set({ kind: 'address', to: 'https://Chat.Example.com/v3/', retentionDays: '' });
    expect(address.answer).toMatchObject({
      ...{ kind: 'address', appId: '', to: 'https://chat.example.com', retentionDays: '', rehearsesHosted: true },
    });
    expect(config()).not.toMatch(/appId|region|retention/);
    expect((await set({ kind: 'none', rehearsesHosted: false })).answer).toMatchObject({ kind: 'none' });
    expect(config()).toContain('# mine\nreport: out # here\n');
    expect(config()).not.toMatch(/^(?:to|rehearseFor):/m);
  });

  it('is none while the configuration does not count, and the page says so', async () => {
    const { set, folder, ask } = await opened();
    await set({ kind: 'address', to: 'https://chat.example.com' });
    appendFileSync(join(folder, 'chatferry.yaml'), '# by hand\n');
    expect((await ask<DeskState>('state')).error?.message).toContain('has changed since you trusted it');
  });

  it('is known once a key was sent there', async () => {
    const { view, set } = await opened();
    await set({ kind: 'address', to: 'https://chat.example.com' });
    remember('addresses', 'https://chat.example.com');
    expect(await view()).toMatchObject({ isKnownAddress: true });
  });

  it.each<[string, Omit<DestinationRequest, 'version'>]>([
    ['an address with a password', { kind: 'address', to: `https://ann:${token}@chat.example.com` }],
    ['an address that is none', { kind: 'address', to: 'chat' }],
    ['an address that would show the key to others', { kind: 'address', to: 'http://chat.example.com' }],
    ['the sandbox', { kind: 'address', to: 'sandbox' }],
    ['no address', { kind: 'address' }],
    ['an app without a region', { kind: 'app', appId: 'a1' }],
    ['an app in another region', { kind: 'app', appId: 'a1', region: 'mars' }],
    ['an app that is a host', { kind: 'app', appId: 'evil.example/', region: 'us' }],
    ['no app', { kind: 'app', region: 'us' }],
    ['a retention that is none', { retentionDays: 'long' }],
    ['a key file that is not there', { keyFile: 'nowhere.txt' }],
    ['standard input', { keyFile: '-' }],
    ['a folder', { keyFile: 'folder' }],
    ['a file that others may read', { keyFile: 'open.txt' }],
    ['a device, which would never end', { keyFile: '/dev/zero' }],
    ['an empty file', { keyFile: 'empty.txt' }],
  ])('cannot be %s, and nothing is written', async (_, request) => {
    const { set, folder, view } = await opened();
    mkdirSync(join(folder, 'folder'));
    writeKey(folder, 'open.txt', 0o644);
    writeFileSync(join(folder, 'empty.txt'), '', { mode: 0o600 });
    const { status, answer } = await set(request);
    expect([status, answer.error.code]).toEqual([422, 'DESK_REFUSED']);
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(await view()).toMatchObject({ kind: 'none', retentionDays: '', key: { from: 'none' } });
  });

  it('is not changed after another has changed the files, or by a request that is none', async () => {
    const { set, send, view, folder } = await opened();
    const { version } = await view();
    for (const request of [{ kind: 'other' }, { more: 1 }, { keyFile: '' }, { rehearsesHosted: 'yes' }])
      expect([request, (await set(request as never)).status]).toEqual([request, 400]);
    writeFileSync(join(folder, 'chatferry.mapping.yaml'), 'people: { bots: skip }\n');
    const late = JSON.stringify({ version, kind: 'app', appId: 'a1', region: 'us' });
    expect((await send('destination', late)).status).toBe(409);
  });

  it('is fixed if a variable of the environment says it', async () => {
    const { view } = await opened({ CHATFERRY_TO: 'https://chat.example.com' });
    expect(await view()).toMatchObject({ isFixed: true, kind: 'address', to: 'https://chat.example.com' });
  });
});

describe('the key', () => {
  it('comes from a variable or a file, and is in no answer', async () => {
    const folder = home.make();
    expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
    const { view, set, request, folder: place } = await opened({ CHATFERRY_API_KEY: token }, folder);
    expect((await view()).key).toEqual({ from: 'variable', path: null, fault: null });
    const file = writeKey(place);
    const answers = [JSON.stringify(await set({ keyFile: file, kind: 'address', to: 'https://chat.example.com' }))];
    expect((await view()).key).toEqual({ from: 'file', path: 'key.txt', fault: null });
    chmodSync(join(place, file), 0o640);
    const { fault } = (await view()).key;
    expect(fault).toMatch(/others may read "key\.txt"; Run: chmod 600 key\.txt/);
    chmodSync(join(place, file), 0o600);
    for (const name of [...reads, 'people.csv', 'report.html?anonymous=0', 'report.html'])
      answers.push(await (await request(`/desk/data/${name}`)).text());
    expect(answers.every((answer) => answer.length > 2)).toBe(true);
    for (const answer of answers) expect(answer).not.toContain(token);
    expect((await set({ keyFile: null })).answer.key).toEqual({ from: 'variable', path: null, fault: null });
  });
});

describe('a key that was typed', () => {
  const typed = async () => {
    const desk = await opened();
    await desk.set({ kind: 'address', to: 'https://chat.example.com' });
    const type = (key: unknown) => desk.change<Answer>('key', { key });
    const files = () =>
      readdirSync(desk.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    return { ...desk, type, files };
  };

  it('is in a variable of the process alone: in no answer, no file and no argument', async () => {
    const { type, view, ask, files, ran, request } = await typed();
    const { version } = await ask<DeskState>('state');
    const { status, answer } = await type(token);
    // The page asks again.
    expect((await ask<DeskState>('state')).version).not.toBe(version);
    expect([status, answer.key, process.env.CHATFERRY_API_KEY]).toEqual([
      200,
      { from: 'typed', path: null, fault: null },
      token,
    ]);
    const run = await ran({ kind: 'doctor' });
    expect(run.text).toContain('https://chat.example.com');
    const answers = [JSON.stringify([answer, run, await view(), await ask('state')])];
    for (const name of reads) answers.push(await (await request(`/desk/data/${name}`)).text());
    expect(files().length).toBeGreaterThan(0);
    for (const text of [...answers, ...files()]) expect(text).not.toContain(token);
  });

  it('is forgotten with its destination, or when the page says so', async () => {
    const { type, set, view, ask } = await typed();
    await type(token);
    await set({ kind: 'address', to: 'https://other.example.com' });
    expect([(await view()).key.from, process.env.CHATFERRY_API_KEY]).toEqual(['none', undefined]);
    await type(token);
    await set({ retentionDays: '30' });
    expect((await view()).key.from).toBe('typed');
    await set({ kind: 'none' });
    await ask('state');
    expect(process.env.CHATFERRY_API_KEY).toBeUndefined();
    await set({ kind: 'address', to: 'https://chat.example.com' });
    await type(token);
    expect((await type(null)).answer.key.from).toBe('none');
    expect(process.env.CHATFERRY_API_KEY).toBeUndefined();
  });

  it('takes the place of a file, and a file that of it', async () => {
    const { type, set, view, folder, config } = await typed();
    await set({ keyFile: writeKey(folder) });
    await type(token);
    expect([(await view()).key, config()]).toEqual([
      { from: 'typed', path: null, fault: null },
      expect.not.stringContaining('apiKeyFile'),
    ]);
    await set({ keyFile: 'key.txt' });
    expect([(await view()).key.from, process.env.CHATFERRY_API_KEY]).toEqual(['file', undefined]);
  });

  it('is refused without a destination, and if no key can be so; no answer repeats it', async () => {
    const { type, set } = await typed();
    for (const key of ['', `${token} x`, `${token}\n${token}`, `${token}\0`, token.repeat(1_000), 4711, [token]]) {
      const { status, answer } = await type(key);
      expect([key, status, JSON.stringify(answer).includes(token)]).toEqual([key, 400, false]);
    }
    await set({ kind: 'none' });
    expect((await type(token)).status).toBe(422);
    expect(process.env.CHATFERRY_API_KEY).toBeUndefined();
  });
});

const reads = [
  'state',
  'source',
  'parts',
  'ignored',
  'people',
  'duplicates',
  'report',
  'report?of=rehearsal',
  'destination',
];
