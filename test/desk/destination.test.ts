import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
