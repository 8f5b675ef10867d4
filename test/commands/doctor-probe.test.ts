import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { doctorExitCode } from '../../src/commands/prepare.ts';
import { scratch } from '../../src/commands/prepare/doctor/probe-duplicates.ts';
import { openTarget, withSeenDuplicates } from '../../src/delivery/target.ts';
import { readStatus } from '../../src/commands/check.ts';
import { profiles } from '../../src/service/profiles.ts';
import { listen } from '../cli/slow-server.ts';
import { doctorKey, findingsOf, hurried, servedSandbox } from '../scenes/doctor-fixture.ts';
import { importHere } from '../scenes/import-here.ts';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
let folder: string;
beforeEach(() => {
  folder = home.make();
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  return () => {
    delete process.env.CHATFERRY_STATE_DIR;
  };
});

const storePath = () => join(folder, 'chatferry.db');
const probe = (url: string) => findingsOf(folder, url, { probeDuplicates: true });

/** Returns what an import to this address would assume about duplicates. */
async function profileThere(to: string, overrides: { duplicates?: 'unknown' | 'refused' } = {}) {
  const store = openStore(storePath(), { command: 'import', nowMs: systemClock.now() });
  const apiKey = new Secret(doctorKey);
  const target = await openTarget(store, { to, overrides, apiKey, concurrency: 1, clock: hurried });
  await target.close();
  store.close();
  return target.profile.duplicates;
}

describe('the probe of duplicates', () => {
  it('leaves one message in the scratch conversation if the second is rejected, and imports use the result', async () => {
    const { url, sandbox } = await servedSandbox();
    expect(await profileThere(url)).toBe('unknown');
    const { byName, all } = await probe(url);
    expect(byName.duplicates).toMatchObject({
      level: 'ok',
      says: expect.stringContaining('was refused. This is recorded'),
    });
    expect(doctorExitCode(all)).toBe(0);
    expect(sandbox.book.summary()).toMatchObject({ applied: { messages: 1 } });
    expect(await profileThere(url)).toBe('refused');
    expect(await profileThere(url, { duplicates: 'unknown' })).toBe('unknown');
    expect((await findingsOf(folder, url)).byName.duplicates).toMatchObject({
      level: 'ok',
      says: expect.stringContaining('is refused (seen on'),
    });
  });

  it('detects a second copy that is stored; afterwards nothing is repeated there without a read', async () => {
    const { url } = await servedSandbox({ duplicates: 'stored' });
    expect((await probe(url)).byName.duplicates).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('two messages'),
    });
    expect(await profileThere(url)).toBe('unknown');
    expect((await findingsOf(folder, url)).byName.duplicates).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('stored a second time (seen on'),
    });
  });

  it('sees both copies where listings hide muids', async () => {
    const { url } = await servedSandbox({ duplicates: 'stored', listing: { muids: 'hidden' } });
    expect((await probe(url)).byName.duplicates).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('two messages'),
    });
  });

  it('remembers nothing if the service accepts both and lists one: that is no promise', async () => {
    const listed: unknown[] = [];
    const server = await listen((request, response, body) => {
      if (request.headers.apikey === undefined) {
        response.writeHead(401).end('{"error":{"code":"AUTH_ERR_EMPTY_APIKEY","message":"No key"}}');
      } else if (request.method === 'GET') {
        response.end(JSON.stringify({ data: listed }));
      } else {
        const { messages } = JSON.parse(body.toString()) as { messages: Record<string, object> };
        const [[muid, message]] = Object.entries(messages) as [[string, object]];
        listed.splice(0, 1, { ...message, id: '1', conversationId: `group_${scratch.guid}` });
        response.end(JSON.stringify({ data: { [muid]: { success: true, data: { id: '1', muid } } } }));
      }
    });
    const { byName, all } = await probe(server.url);
    expect(byName.duplicates).toMatchObject({
      level: 'error',
      says: expect.stringContaining('1 of them is listed'),
      exit: 5,
    });
    expect(doctorExitCode(all)).toBe(5);
    expect(await profileThere(server.url)).toBe('unknown');
    const imports = server.requests.filter((line) => line.startsWith('POST'));
    expect(imports).toHaveLength(2);
  });

  it('remembers nothing if the first message is rejected or its answer is lost', async () => {
    const operations = ['importMessages' as const];
    const refused = await servedSandbox({ rules: [{ answer: 'items-refused', share: 1, operations }] });
    expect((await probe(refused.url)).byName.duplicates).toMatchObject({
      level: 'error',
      says: expect.stringContaining('ERR_OPERATION_FAILED'),
    });
    const lost = await servedSandbox({ rules: [{ answer: 'reset', operations }] });
    expect((await probe(lost.url)).byName.duplicates).toMatchObject({ level: 'error' });
    expect(await profileThere(lost.url)).toBe('unknown');
  });

  it('sends nothing if the key is wrong or another process holds the store', async () => {
    const { url, sandbox } = await servedSandbox();
    await findingsOf(folder, url, { probeDuplicates: true, readKey: () => new Secret('wrong') });
    const store = openStore(storePath(), { command: 'import', nowMs: systemClock.now() });
    const { byName, all } = await probe(url);
    store.close();
    expect(byName.duplicates).toMatchObject({ level: 'error', exit: 7 });
    expect(doctorExitCode(all)).toBe(7);
    expect(sandbox.book.summary()).toMatchObject({ applied: { messages: 0 } });
  });

  it('does not become the destination that status reports', async () => {
    makeExport(join(folder, 'export'), { seed: 4, messages: 10, channels: 1, directs: 0, groupDirects: 0 });
    await importHere(folder, join(folder, 'export'));
    const { url } = await servedSandbox();
    await probe(url);
    expect(readStatus({ store: storePath(), clock: systemClock }, 'status').destination?.name).toContain('sandbox');
  });
});

describe('withSeenDuplicates()', () => {
  const seenAtMs = 1;
  it('prefers the observed behaviour to the profile, and the setting of the user to both', () => {
    const refused = { duplicates: 'refused', seenAtMs } as const;
    const stored = { duplicates: 'stored', seenAtMs } as const;
    expect(withSeenDuplicates(profiles.spec, { override: undefined, seen: refused }).duplicates).toBe('refused');
    expect(withSeenDuplicates(profiles.sandbox, { override: undefined, seen: stored }).duplicates).toBe('unknown');
    expect(withSeenDuplicates(profiles.sandbox, { override: undefined, seen: undefined }).duplicates).toBe('refused');
    expect(withSeenDuplicates(profiles.spec, { override: 'unknown', seen: refused }).duplicates).toBe('unknown');
  });
});
