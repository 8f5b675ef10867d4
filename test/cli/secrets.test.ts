import { randomBytes } from 'node:crypto';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService, handedOn, refusingAddress } from './fake-service.ts';
import { type Ended, run, serveSandbox, start, testKey } from './in-process.ts';
import { run as runProcess } from './process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();
const randomKey = () => randomBytes(20).toString('hex');

/** Returns the outputs and files that contain a key. There should be none. */
function placesOf(key: string, folder: string, ended: Ended): string[] {
  const files = globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files, 'the export at least').not.toEqual([]);
  return [
    ...(['stdout', 'stderr'] as const).filter((name) => ended[name].includes(key)),
    ...files.filter((file) => readFileSync(file).includes(key)),
  ];
}

describe('the API key', () => {
  it('the key is written nowhere after the service refused it', async () => {
    const [folder, place, key] = [home.make(), home.make(), randomKey()];
    const sandbox = await serveSandbox(place);
    const args = ['import', smallExport(folder), '--to', sandbox.url, '--yes', '--progress', 'json'];
    const ended = await runProcess(args, { folder, env: { CHATFERRY_API_KEY: key } });
    await sandbox.stop();
    expect(ended.code).toBe(8);
    expect(ended.stdout).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
    expect(placesOf(key, folder, ended)).toEqual([]);
  });

  it('the key is written nowhere after the service repeated it in an error', async () => {
    const [folder, key] = [home.make(), randomKey()];
    const service = await fakeService(({ headers }, response) => {
      const error = { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: `No key ${headers.apikey}` };
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const args = ['import', smallExport(folder), '--to', service.url, '--yes'];
    const ended = await run(args, { folder, env: { CHATFERRY_API_KEY: key } });
    expect(ended.code).toBe(8);
    expect(service.asked.length).toBeGreaterThan(0);
    expect(placesOf(key, folder, ended)).toEqual([]);
  });

  const spellings: readonly (readonly [string, (key: string) => string])[] = [
    ['as it is', (key) => key],
    ['in hex', (key) => Buffer.from(key).toString('hex')],
    ['in upper-case hex', (key) => Buffer.from(key).toString('hex').toUpperCase()],
    ['in base64url', (key) => Buffer.from(`${key}??>`).toString('base64url').slice(0, -4)],
    ['backwards', (key) => [...key].reverse().join('')],
  ];

  it.each(spellings)(
    'the key is written nowhere after the service repeated it %s as a code, a word and an id',
    async (_, spell) => {
      const [folder, key] = [home.make(), randomKey()];
      const service = await fakeService(({ headers, method }, response) => {
        const echo = spell(String(headers.apikey));
        const error = { code: `ERR_${echo}`, message: `No key ${echo}`, details: { [echo]: [echo] } };
        response.writeHead(method === 'GET' ? 401 : 400, { 'content-type': 'application/json', 'x-request-id': echo });
        response.end(JSON.stringify({ error }));
      });
      const args = [
        'import',
        smallExport(folder),
        '--to',
        service.url,
        '--yes',
        '--progress',
        'json',
        '--grace-period',
        '0s',
      ];
      const ended = await run(args, { folder, env: { CHATFERRY_API_KEY: key } });
      expect(service.asked.length).toBeGreaterThan(0);
      expect(placesOf(spell(key).slice(0, 30), folder, ended)).toEqual([]);
    },
  );

  it.each(spellings)(
    'the key is written nowhere after the service gave it %s as the id of a message',
    async (_, spell) => {
      const [folder, key] = [home.make(), randomKey()];
      const sandbox = await serveSandbox(home.make());
      const service = await fakeService(async (request, response) => {
        const { answer } = await handedOn(request, sandbox.url, testKey);
        const echoed = answer
          .replaceAll(/"id":"?(\d+)"?/g, (_match, id) => `"id":"${spell(key)}${id}"`)
          .replaceAll('"conversationId":"', `"conversationId":"${spell(key)}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end(echoed);
      });
      const args = ['import', smallExport(folder), '--to', service.url, '--yes', '--grace-period', '0s'];
      const where = { folder, env: { CHATFERRY_API_KEY: key }, clock: fastClock() };
      const ended = await run(args, where);
      expect(service.asked.length).toBeGreaterThan(1);
      expect(placesOf(spell(key).slice(0, 30), folder, ended)).toEqual([]);
      const verified = await run(['verify', '--grace-period', '0s'], where);
      expect(placesOf(spell(key).slice(0, 30), folder, verified)).toEqual([]);
    },
  );

  it('the key is written nowhere after a refused connection', async () => {
    const [folder, key] = [home.make(), randomKey()];
    const args = ['import', smallExport(folder), '--to', await refusingAddress(), '--yes'];
    const ended = await run(args, { folder, env: { CHATFERRY_API_KEY: key }, clock: fastClock() });
    expect(ended.code).toBe(5);
    expect(placesOf(key, folder, ended)).toEqual([]);
  });

  it('the key is written nowhere after a success', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['import', smallExport(folder), '--to', sandbox.url, '--yes'];
    const ended = await run(args, { folder, env: { CHATFERRY_API_KEY: testKey } });
    await sandbox.stop();
    expect(ended.code).toBe(0);
    expect(placesOf(testKey, folder, ended)).toEqual([]);
  });

  it('a redirect is not followed, so no other server receives the key', async () => {
    const folder = home.make();
    const other = await fakeService((_, response) => response.end('{"data":[]}'));
    const service = await fakeService(({ url }, response) =>
      response.writeHead(307, { location: other.url + url }).end(),
    );
    const args = ['import', smallExport(folder), '--to', service.url, '--yes'];
    const { code } = await run(args, { folder, env: { CHATFERRY_API_KEY: randomKey() } });
    expect(code).toBe(5);
    expect(service.asked.length).toBeGreaterThan(0);
    expect(other.asked).toEqual([]);
  });

  it('--api-key-file wants a file that only its owner may read', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['import', smallExport(folder), '--to', sandbox.url, '--yes', '--api-key-file'];
    writeFileSync(join(folder, 'key'), `${testKey}\n`, { mode: 0o644 });
    chmodSync(join(folder, 'key'), 0o644);
    const open = await run([...args, 'key'], { folder });
    expect({ code: open.code, stderr: open.stderr }).toEqual({
      code: 2,
      stderr: 'Cannot read the API key: others may read "key"\n  Run: chmod 600 key\n',
    });
    chmodSync(join(folder, 'key'), 0o600);
    expect(await run([...args, 'key'], { folder, env: { CHATFERRY_API_KEY: 'wrong' } })).toMatchObject({ code: 0 });
    await sandbox.stop();
  });

  it('--api-key-file - reads standard input', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['import', smallExport(folder), '--to', sandbox.url, '--yes', '--api-key-file', '-'];
    expect(await run(args, { folder, input: `${testKey}\n` })).toMatchObject({ code: 0 });
    await sandbox.stop();
  });

  it.each([
    ['no file', ['--api-key-file', 'nowhere'], 'Cannot read the API key from "nowhere": ENOENT'],
    ['no key at all', [], 'no API key\n  Set CHATFERRY_API_KEY'],
  ])('%s ends with 2 before anything is sent', async (_, more, words) => {
    const folder = home.make();
    const service = await fakeService((_request, response) => response.end());
    const args = ['import', smallExport(folder), '--to', service.url, '--yes', ...more];
    const { code, stderr } = await run(args, { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    expect(service.asked).toEqual([]);
  });

  it('an address that contains a key is rejected and not repeated', async () => {
    const [folder, key] = [home.make(), randomKey()];
    const args = ['import', smallExport(folder), '--to', `https://me:${key}@chat.example.com`, '--yes'];
    const ended = await run(args, { folder, env: { CHATFERRY_API_KEY: testKey } });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('it contains credentials');
    expect(placesOf(key, folder, ended)).toEqual([]);
  });

  it('sandbox prints its address and a key of its own once, and takes no other', async () => {
    const folder = home.make();
    const { kill, line, ended } = start(['sandbox', '--port', '0'], { folder });
    const url = /http:\/\/[^,\s]+/.exec((await line('Sandbox at ')) ?? '')?.[0];
    const key = /[0-9a-f]{40}/.exec((await line('CHATFERRY_API_KEY=')) ?? '')?.[0];
    const ask = async (apikey: string) => (await fetch(`${url}/v3/messages`, { headers: { apikey } })).status;
    expect([await ask(key!), await ask(randomKey())]).toEqual([200, 401]);
    kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.split(key!).length - 1).toBe(1);
  });
});

describe('a token in the place of a job', () => {
  it('is kept nowhere: not in the address of its export, nor in the words of its command', async () => {
    const [folder, token] = [home.make(), randomKey()];
    const header = '{"kind":"header","version":1,"source":"chatferry"}\n';
    const service = await fakeService((_, response) => response.writeHead(200, { etag: '"1"' }).end(header));
    const jobs = [
      `{ name: a, to: sandbox, export: { url: "${service.url}/export.ndjson?token=${token}" } }`,
      `{ name: b, to: sandbox, export: { command: [printf, "${header.trim().replaceAll('"', '\\"')}", "${token}"], format: b.ndjson } }`,
      `{ name: c, to: sandbox, export: { url: "${service.url}/${token}/gone.ndjson?${token}", timeout: 1s } }`,
    ];
    const elsewhere = home.make();
    writeFileSync(join(elsewhere, 'chatferry.yaml'), `sync: { log: { file: log.json } }\njobs: [${jobs.join(', ')}]`);
    const args = ['sync', '--once', '--config', join(elsewhere, 'chatferry.yaml')];
    for (let round = 0; round < 2; round++) {
      const ended = await run(args, { folder });
      expect(placesOf(token, folder, ended)).toEqual([]);
    }
    expect(service.asked.length).toBeGreaterThan(1);
    expect(placesOf(token, folder, await run(['jobs', '--json', ...args.slice(2)], { folder }))).toEqual([]);
  });
});
