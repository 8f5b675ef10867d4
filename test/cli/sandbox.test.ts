import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { normaliseBaseUrl } from '../../src/service/profiles.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, start, testKey } from './in-process.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const headers = { apikey: testKey };

/** `chatferry sandbox` until the test is over; its address as it printed it. */
async function serve(args: readonly string[], folder = home.make()) {
  const program = start(['sandbox', '--port', '0', ...args], { folder, env });
  const url = /http:\/\/[^,\s]+/.exec((await program.line('Sandbox at ')) ?? '')?.[0] ?? '';
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) program.kill('SIGTERM');
    isStopped = true;
    return program.ended;
  };
  onTestFinished(async () => void (await stop()));
  return { url, stop };
}

describe('chatferry sandbox', () => {
  it('begins with the bots, keys, tokens and roles of a file, and takes more while it runs', async () => {
    const folder = home.make();
    const seed = {
      roles: [{ role: 'guest', restrictedFeatures: [{ key: 'u.deleteGroup' }] }],
      users: [{ uid: 'Ann', name: 'Ann', role: 'guest', tags: ['founder'] }],
      bots: [{ uid: 'helper', name: 'Helper' }],
      apiKeys: [{ apiKey: 'a-second-key' }, { apiKey: 'an-app-key', scope: 'authOnly' }],
      authTokens: [{ uid: 'ann', authToken: 'ann_0123456789' }],
      contactDetails: [{ uid: 'ann', email: 'ann@example.com' }],
    };
    writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
    const { url } = await serve(['--seed', 'seed.json'], folder);
    const ask = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, ...more },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        json: (await answer.json()) as { data: unknown; error?: { code: string; message: string } },
      };
    };
    const hello = { receiver: 'ann', receiverType: 'user', data: { text: 'Hi' } };
    expect((await ask('POST', '/v3/bots/helper/messages', hello)).status).toBe(200);
    expect((await ask('GET', '/v3/messages', undefined, { apikey: 'a-second-key' })).status).toBe(200);
    expect((await ask('GET', '/v3/messages', undefined, { apikey: 'an-app-key' })).status).toBe(403);
    expect((await ask('PUT', '/v3/users/ann/auth_tokens/ann_0123456789', [])).status).toBe(200);
    expect((await ask('GET', '/v3/roles/guest/restrictedfeatures')).json.data).toMatchObject([
      { key: 'u.deleteGroup' },
    ]);
    const contact = await ask('GET', '/v3/notifications/v1/contact-details', undefined, { onBehalfOf: 'ann' });
    expect(contact.json.data).toEqual({ email: 'ann@example.com' });

    const more = { bots: [{ uid: 'second', name: 'Second' }], apiKeys: [{ apiKey: 'a-third-key', name: 'Third' }] };
    const made = await ask('POST', '/sandbox/seed', more);
    expect(made).toMatchObject({ status: 200, json: { data: { bots: 1, apiKeys: 1, roles: 0 } } });
    expect(JSON.stringify(made.json)).not.toContain('a-third-key');
    expect((await ask('POST', '/v3/bots/second/messages', hello)).status).toBe(200);
    expect((await ask('PUT', '/v3/apikeys/a-third-key', { scope: 'userauth' })).status).toBe(200);
    const stranger = await ask('POST', '/sandbox/seed', {
      bots: more.bots,
      authTokens: [{ uid: 'nobody', authToken: 'x' }],
    });
    expect(stranger).toMatchObject({ status: 404, json: { error: { code: 'ERR_UID_NOT_FOUND' } } });
    expect((await ask('POST', '/sandbox/seed', { bot: [] })).json.error!.message).toContain(
      'bot: there is no such field',
    );
    expect((await ask('POST', '/sandbox/seed', {}, { apikey: 'a-second-key' })).status).toBe(401);
  });

  it.each([
    ['that is missing', undefined, 'Cannot read --seed "seed.json"'],
    ['that is no JSON', '{"apiKeys": secret-of-mine}', 'Cannot use --seed "seed.json": expected JSON'],
    [
      'with a key that no header carries',
      '{"apiKeys":[{"apiKey":"secret-of-mine "}]}',
      'apiKeys.0.apiKey: expected 1 to 200',
    ],
    [
      'with a token of nobody',
      '{"authTokens":[{"uid":"eve","authToken":"secret-of-mine"}]}',
      'The user "eve" does not exist',
    ],
  ])('refuses a seed %s, and repeats nothing of it', async (_, text, words) => {
    const folder = home.make();
    if (text !== undefined) writeFileSync(join(folder, 'seed.json'), text);
    const { code, stderr } = await run(['sandbox', '--port', '0', '--seed', 'seed.json'], { folder, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain('secret-of-mine');
  });

  it('refuses a data file that another sandbox has, as the store is refused', async () => {
    const folder = home.make();
    const { stop } = await serve([], folder);
    const second = await run(['sandbox', '--port', '0'], { folder, env });
    expect(second.code).toBe(7);
    expect(second.stderr).toMatch(
      /Cannot use ".*chatferry\.sandbox\.db" as data of a sandbox: held by "chatferry sandbox", process \d+/,
    );
    expect(second.stderr).toContain('--data');
    await stop();
    const third = await serve([], folder);
    expect((await third.stop()).code).toBe(0);
  });

  it('rejects a key that no request could carry', async () => {
    const { code, stderr } = await run(['sandbox', '--port', '0'], {
      folder: home.make(),
      env: { CHATFERRY_API_KEY: '  ' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('it is blank')]);
    expect(stderr).toContain('CHATFERRY_API_KEY');
  });

  it.each([['0.0.0.0'], ['::']])('prints an address that Chatferry accepts when it listens on %s', async (host) => {
    const { url, stop } = await serve(['--host', host]);
    expect(normaliseBaseUrl(url)).toBe(url);
    expect((await fetch(`${url}/v3/messages`, { headers })).status).toBe(200);
    expect((await stop()).stderr).toContain(`${host}:${new URL(url).port} over the network`);
  });

  it('says in the words of its flags what to do about a port, an address and a file', async () => {
    const folder = home.make();
    const { url } = await serve([], folder);
    const stderrOf = async (...args: string[]) =>
      (await run(['sandbox', '--data', 'other.db', ...args], { folder, env })).stderr;
    expect(await stderrOf('--port', new URL(url).port)).toContain('Pass --port with another number');
    expect(await stderrOf('--port', '0', '--host', '192.0.2.1')).toContain(
      'Pass --host with an address of this machine',
    );
    writeFileSync(join(folder, 'text.db'), 'no database at all, and long enough for SQLite to look at it: '.repeat(20));
    const damaged = await stderrOf('--port', '0', '--data', 'text.db');
    expect(damaged).toContain('it is not a SQLite database');
    expect(damaged).toContain('--data for "chatferry sandbox"');
  });

  it('describes itself under the port that it is served on', async () => {
    const { url, stop } = await serve([]);
    const { servers, paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      servers: { url: string }[];
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    expect(servers[0]!.url).toBe(url);
    expect(paths['/v3/messages']!.post!.responses['413']!.description).toContain('16 MiB');
    expect(paths['/v3/messages']!.get!.responses).not.toHaveProperty('413');
    await stop();
    const printed = await run(['sandbox', '--openapi', '--port', '4123'], { folder: home.make(), env });
    expect(JSON.parse(printed.stdout).servers[0].url).toBe('http://127.0.0.1:4123');
  });
});
