import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { readApiKey } from '../../src/config/api-key.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { judgeDisk } from '../../src/commands/prepare/doctor/store.ts';
import { doctorExitCode } from '../../src/commands/prepare.ts';
import { importExport } from '../../src/commands/move.ts';
import { examineProgram } from '../../src/commands/prepare/doctor/program.ts';
import { demo } from '../../src/sandbox/seed-plan.ts';
import { refusingAddress } from '../cli/fake-service.ts';
import { listen } from '../cli/slow-server.ts';
import { doctorKey, findingsOf, servedSandbox } from '../scenes/doctor-fixture.ts';
import { makeExport } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { DoctorFinding } from '../../src/commands/results.ts';

const home = temporaryFolder(process.env.CHATFERRY_TEST_DISK);
let folder: string;
beforeEach(() => {
  folder = home.make();
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  return () => {
    delete process.env.CHATFERRY_STATE_DIR;
  };
});

const storePath = () => join(folder, 'chatferry.db');
const levels = (findings: readonly DoctorFinding[]) =>
  Object.fromEntries(findings.map(({ name, level }) => [name, level]));

/** Imports a few messages to an address, as a run with that store would. */
async function importTo(to: string): Promise<void> {
  makeExport(join(folder, 'export'), { seed: 3, messages: 20, channels: 1, directs: 1, groupDirects: 0 });
  const { exit } = await importExport(await sessionRequest(folder, { to, apiKey: new Secret(doctorKey) }));
  expect(exit).toBe(0);
}

describe('examine()', () => {
  it('finds nothing wrong before the first import into the embedded sandbox, and makes no file', async () => {
    const { all } = await findingsOf(folder, 'sandbox');
    expect(levels(all)).toEqual({
      node: 'ok',
      sqlite: 'ok',
      store: 'ok',
      disk: 'ok',
      state: 'ok',
      retention: 'ok',
      address: 'ok',
    });
    expect(() => readFileSync(storePath())).toThrow('ENOENT');
    expect(doctorExitCode(all)).toBe(0);
  });

  it('finds nothing wrong after an import into the embedded sandbox', async () => {
    await importTo('sandbox');
    const { all, byName } = await findingsOf(folder, 'sandbox', { exports: [join(folder, 'export')] });
    const others = all.filter(({ name }) => name !== 'retention');
    expect(new Set(others.map(({ level }) => level))).toEqual(new Set(['ok']));
    // Its messages are of 2024.
    expect(byName.retention).toMatchObject({
      level: 'warning',
      todo: 'Rehearse with --rehearse-for hosted if they go there',
    });
    expect(byName['read-back']!.says).toContain('show muids');
    expect(byName['last run']!.says).toContain('import of');
    expect(byName.export!.says).toContain('Slack');
  });

  it('finds no problem with a server except that its handling of duplicates is unknown', async () => {
    const { url } = await servedSandbox({}, { seed: 'demo' });
    const { all, byName } = await findingsOf(folder, url);
    expect(levels(all)).toMatchObject({
      address: 'ok',
      key: 'ok',
      clock: 'ok',
      limits: 'ok',
      'read-back': 'ok',
    });
    expect(byName.duplicates).toMatchObject({ level: 'warning', todo: expect.stringContaining('--probe-duplicates') });
    expect(doctorExitCode(all)).toBe(0);
  });

  it('distinguishes a wrong key from one without full access, and shows neither', async () => {
    const { url } = await servedSandbox({}, { seed: 'demo' });
    const wrong = await findingsOf(folder, url, { readKey: () => new Secret('wrong-key-77') });
    expect(wrong.byName.key).toMatchObject({ level: 'error', says: 'The service does not know this key', exit: 8 });
    const authOnly = await findingsOf(folder, url, { readKey: () => new Secret(demo.authOnlyKey) });
    expect(authOnly.byName.key).toMatchObject({ level: 'error', says: expect.stringContaining('authOnly'), exit: 8 });
    expect(JSON.stringify([wrong.all, authOnly.all])).not.toMatch(new RegExp(`wrong-key-77|${demo.authOnlyKey}`));
    expect(doctorExitCode(wrong.all)).toBe(8);
  });

  it('says what to do without a key, with a key file that others may read, and with a key that is none', async () => {
    const { url } = await servedSandbox();
    const none = await findingsOf(folder, url, { readKey: () => undefined });
    expect(none.byName.key).toMatchObject({ level: 'error', says: 'No API key', exit: 2 });
    expect(none.byName.clock).toMatchObject({ level: 'ok' });
    const file = join(folder, 'key');
    writeFileSync(file, doctorKey, { mode: 0o644 });
    const open = await findingsOf(folder, url, { readKey: () => readApiKey(file, {}) });
    expect(open.byName.key).toMatchObject({ level: 'error', todo: expect.stringContaining('chmod 600'), exit: 2 });
    const broken = await findingsOf(folder, url, { readKey: () => new Secret('two\nlines') });
    expect(broken.byName.key).toMatchObject({ level: 'error', exit: 2 });
    expect(JSON.stringify(broken.all)).not.toContain('two\\nlines');
  });

  it('asks again what fails in passing', async () => {
    const operations = ['listMessages' as const];
    const busy = await servedSandbox({ rules: [{ answer: 'rate-limited', retryAfter: 3, operations, times: 2 }] });
    expect(levels((await findingsOf(folder, busy.url)).all)).toMatchObject({
      address: 'warning',
      key: 'ok',
      limits: 'ok',
    });
    const full = await servedSandbox({ rules: [{ answer: 'rate-limited', retryAfter: 3600, operations }] });
    const { byName, all } = await findingsOf(folder, full.url);
    expect(levels(all)).toMatchObject({ address: 'ok', key: 'warning', limits: 'warning' });
    expect(byName.limits!.says).toContain('asks for 1 h');
    expect(doctorExitCode(all)).toBe(0);
  });

  it.each([
    ['a page of a gateway', { answer: 'page' as const }, 'http_502'],
    ['a page with status 200', { answer: 'page' as const, status: 200 }, 'bad_answer'],
    ['no JSON', { answer: 'invalid-json' as const }, undefined],
    ['a connection that is closed', { answer: 'closed' as const }, undefined],
  ])('calls an address bad that answers with %s', async (_, rule, code) => {
    const { url } = await servedSandbox({ rules: [rule] });
    const { byName, all } = await findingsOf(folder, url);
    expect(byName.address).toMatchObject({
      level: 'error',
      exit: 5,
      ...(code && { says: expect.stringContaining(code) }),
    });
    expect(byName.key).toBeUndefined();
    expect(doctorExitCode(all)).toBe(5);
  });

  it('names the target of a redirect, and sends no key', async () => {
    const server = await listen((_, response) => {
      response.writeHead(308, { location: 'https://new.example.org/v3?token=abc' }).end();
    });
    const { byName } = await findingsOf(folder, server.url);
    expect(byName.address).toMatchObject({ level: 'error', todo: expect.stringContaining('https://new.example.org') });
    expect(byName.address!.says).not.toContain('abc');
    expect(server.headers.map(({ apikey }) => apikey)).toEqual([undefined]);
  });

  it('sends no key to a server that is no chat service', async () => {
    const server = await listen((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
    });
    const { byName, all } = await findingsOf(folder, server.url);
    expect(byName.address).toMatchObject({ level: 'error', says: expect.stringContaining('not as the chat service') });
    expect(all.at(-1)!.name).toBe('address');
    expect(new Set(server.headers.map(({ apikey }) => apikey))).toEqual(new Set([undefined]));
  });

  it('repeats the request with the key if a gateway asks for one first', async () => {
    const server = await listen((request, response) => {
      if (request.headers.apikey === undefined) response.writeHead(401).end('<h1>Who are you?</h1>');
      else response.end('{"data":[]}');
    });
    expect(levels((await findingsOf(folder, server.url)).all)).toMatchObject({ address: 'ok', key: 'ok' });
  });

  it('is wary of a service that asks for no key', async () => {
    const server = await listen((_, response) => void response.end('{"data":[]}'));
    const { byName } = await findingsOf(folder, server.url, { readKey: () => undefined });
    expect(byName.key).toMatchObject({ level: 'warning', says: 'The service lists messages without a key' });
  });

  it('reports when there is no answer, and when an address cannot be used', async () => {
    const nobody = await findingsOf(folder, await refusingAddress());
    expect(nobody.byName.address).toMatchObject({
      level: 'error',
      says: expect.stringContaining('ECONNREFUSED'),
      exit: 5,
    });
    const { url } = await servedSandbox();
    const noTls = await findingsOf(folder, url.replace('http:', 'https:'));
    expect(noTls.byName.address).toMatchObject({ level: 'error', exit: 5 });
    const insecure = await findingsOf(folder, 'http://chat.example.com');
    expect(insecure.byName.address).toMatchObject({ level: 'error', exit: 2 });
    const noRegion = await findingsOf(folder, 'sandbox', { appId: 'app' });
    expect(noRegion.byName.address).toMatchObject({
      level: 'error',
      todo: expect.stringContaining('--region'),
      exit: 2,
    });
  });

  it.each([
    [90, 'behind'],
    [-90, 'ahead of'],
  ])('sees a clock that differs by %i s', async (clockSkewSeconds, words) => {
    const { url } = await servedSandbox({ clockSkewSeconds });
    expect((await findingsOf(folder, url)).byName.clock).toMatchObject({
      level: 'warning',
      says: expect.stringContaining(words),
    });
  });

  it('reads the limits that the service returns', async () => {
    const { url } = await servedSandbox({}, { profile: 'hosted' });
    const { says } = (await findingsOf(folder, url, { profile: 'hosted' })).byName.limits!;
    expect(says).toContain('60 a minute (profile hosted)');
    expect(says).toMatch(/Listings: 20,000 a minute, 19,99\d left \(x-rate-limit, .*x-ratelimit-limit/);
    const server = await listen(
      (_, response) => void response.setHeader('x-ratelimit-limit', '500').end('{"data":[]}'),
    );
    const { byName } = await findingsOf(folder, server.url, { profile: 'hosted' });
    expect(byName.limits).toMatchObject({ level: 'warning', says: expect.stringContaining('Listings: 500 a minute') });
  });

  it('sees whether listings show muids, or our key instead', async () => {
    const { url, sandbox } = await servedSandbox();
    await importTo(url);
    expect((await findingsOf(folder, url)).byName['read-back']!.says).toContain('show muids');
    sandbox.plan = { listing: { muids: 'hidden' } };
    const hidden = (await findingsOf(folder, url)).byName['read-back'];
    expect(hidden).toMatchObject({ level: 'ok', says: expect.stringContaining('key in their metadata') });
    const others = await servedSandbox({ listing: { muids: 'hidden' } }, { seed: 'demo' });
    expect((await findingsOf(folder, others.url)).byName['read-back']).toMatchObject({ level: 'warning' });
  });
});

describe('the examination of a store', () => {
  it('says who holds it', async () => {
    const store = openStore(storePath(), { command: 'import', nowMs: systemClock.now() });
    const { byName } = await findingsOf(folder, 'sandbox');
    store.close();
    expect(byName.store).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('held by "chatferry import"'),
    });
    expect((await findingsOf(folder, 'sandbox')).byName.store).toMatchObject({ level: 'ok' });
  });

  it('reports an error if it is damaged, of another program, newer, made before 0.1, or not a database', async () => {
    await importTo('sandbox');
    const whole = readFileSync(storePath());
    const damaged = Buffer.from(whole).fill(0x5a, whole.length - 12_000, whole.length - 4_000);
    writeFileSync(storePath(), damaged);
    expect((await findingsOf(folder, 'sandbox')).byName.store).toMatchObject({ level: 'error', exit: 7 });

    writeFileSync(storePath(), whole);
    for (const [number, todo] of [
      [999, 'Update Chatferry'],
      [16, 'Finish it with that version, or plan again into a new store (--store)'],
    ] as const) {
      const db = new Database(storePath());
      db.pragma(`user_version = ${number}`);
      db.close();
      expect((await findingsOf(folder, 'sandbox')).byName.store).toMatchObject({ level: 'error', todo });
    }

    const other = join(folder, 'other.db');
    const foreign = new Database(other);
    foreign.exec('CREATE TABLE t (x)');
    foreign.close();
    const { all } = await findingsOf(folder, 'sandbox', { store: other });
    expect(all).toContainEqual(expect.objectContaining({ name: 'store', level: 'error', exit: 7 }));
    expect(doctorExitCode(all)).toBe(7);

    writeFileSync(other, 'this is a text, and a long one, so that nobody takes it for an empty database file');
    expect((await findingsOf(folder, 'sandbox', { store: other })).byName.store).toMatchObject({
      level: 'error',
      exit: 7,
    });
  });

  it('warns of a run that did not end', async () => {
    await importTo('sandbox');
    const db = new Database(storePath());
    db.prepare('UPDATE run SET ended_at = NULL, exit = NULL').run();
    db.close();
    const { byName } = await findingsOf(folder, 'sandbox');
    expect(byName['last run']).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('did not end by itself'),
    });
  });
});

describe('the examination of an export', () => {
  it('reports an error if it is missing or not recognised', async () => {
    const missing = await findingsOf(folder, 'sandbox', { exports: [join(folder, 'nowhere')] });
    expect(missing.byName.export).toMatchObject({ level: 'error', exit: 4 });
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]));
    const picture = await findingsOf(folder, 'sandbox', { exports: [join(folder, 'picture.png')] });
    expect(picture.byName.export).toMatchObject({ level: 'error' });
  });
});

describe('judgeDisk()', () => {
  const gib = 1024 ** 3;
  it.each([
    ['enough', 10 * gib, gib, 0xef53, 'ok'],
    ['enough for what is not planned yet', 10 * gib, undefined, undefined, 'ok'],
    ['less than the forecast', gib, 2 * gib, 0xef53, 'error'],
    ['hardly more than the forecast', 2 * gib + 1, 2 * gib, 0xef53, 'warning'],
    ['a network share', 100 * gib, gib, 0x6969, 'warning'],
    ['memory', 100 * gib, gib, 0x01021994, 'warning'],
  ] as const)('finds %s', (_, freeBytes, needed, type, level) => {
    expect(judgeDisk({ freeBytes, type }, needed).level).toBe(level);
  });
});

describe('examineProgram()', () => {
  it.each([
    ['22.18.0', 'error'],
    ['20.11.1', 'error'],
    ['22.19.0', 'ok'],
    ['26.10.0', 'ok'],
  ])('judges Node %s', (version, level) => {
    expect([...examineProgram(version)][0]).toMatchObject({ name: 'node', level });
  });
});

describe('doctorExitCode()', () => {
  const bad = (exit: 2 | 4 | 5 | 7): DoctorFinding => ({ name: 'x', level: 'error', says: '', todo: '', exit });
  it('takes the store before usage, export and destination', () => {
    expect(doctorExitCode([bad(5), bad(4), bad(7), bad(2)])).toBe(7);
    expect(doctorExitCode([bad(5), bad(4), bad(2)])).toBe(2);
    expect(doctorExitCode([bad(5), bad(4)])).toBe(4);
    expect(doctorExitCode([{ name: 'x', level: 'warning', says: '', todo: '' }])).toBe(0);
  });
});
