import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocationContext, Arrivals } from '../../src/sync/locations/location.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { locationScene, node } from './location-scene.ts';

const home = temporaryFolder();
const sceneOf = (location: object, folder = home.make()) => locationScene(location, folder);

/** The one file of the one take, and says that a plan has read it. */
function take({ takes, failures }: Arrivals): string {
  expect(failures).toEqual([]);
  expect(takes).toHaveLength(1);
  takes[0]!.taken();
  return takes[0]!.exports[0]!;
}

describe('an address', () => {
  interface Served {
    readonly url: string;
    readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  }

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Served> {
    const asked: Served['asked'] = [];
    const server = createServer((request, response) => {
      asked.push({ path: request.url!, headers: request.headers });
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  it('is downloaded once, and asked by ETag and time whether it changed', async () => {
    let version = 1;
    const { url, asked } = await serve(({ headers }, response) => {
      const etag = `"v${version}"`;
      if (headers['if-none-match'] === etag) return void response.writeHead(304).end();
      response.writeHead(200, { etag, 'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT' }).end(`version ${version}`);
    });
    const scene = sceneOf({ url: `${url}/exports/chat%20log.zip?token=s3cret` });
    const path = take(await scene.obtain());
    expect(path).toBe(join(scene.folder, 'downloads', 'chat_20log.zip'));
    expect(readFileSync(path, 'utf8')).toBe('version 1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = statSync(path).mtimeMs;
    expect(take(await scene.obtain())).toBe(path);
    expect(asked[1]).toMatchObject({
      path: '/exports/chat%20log.zip?token=s3cret',
      headers: { 'if-none-match': '"v1"', 'if-modified-since': 'Sat, 21 Nov 2026 12:00:00 GMT' },
    });
    expect(statSync(path).mtimeMs).toBe(before);
    version = 2;
    expect(readFileSync(take(await scene.obtain()), 'utf8')).toBe('version 2');
    expect(readdirSync(join(scene.folder, 'downloads'))).toEqual(['chat_20log.zip']);
  });

  it('is downloaded again if a plan did not use the file or the file is gone', async () => {
    const { url, asked } = await serve((_, response) => response.writeHead(200, { etag: '"1"' }).end('x'));
    const scene = sceneOf({ url });
    await scene.obtain();
    take(await scene.obtain());
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    rmSync(join(scene.folder, 'downloads', 'export'));
    take(await scene.obtain());
    expect(asked[2]!.headers['if-none-match']).toBeUndefined();
  });

  it('with the same bytes leaves the file as it is', async () => {
    const { url } = await serve((_, response) => response.end('same'));
    const scene = sceneOf({ url, format: 'export.json' });
    const path = take(await scene.obtain());
    const { ino, mtimeMs } = statSync(path);
    expect(statSync(take(await scene.obtain()))).toMatchObject({ ino, mtimeMs });
  });

  it('gets the headers of a file that only its owner may read', async () => {
    const { url, asked } = await serve((_, response) => response.end('x'));
    const scene = sceneOf({ url, headersFile: join(home.path, 'headers') });
    writeFileSync(join(home.path, 'headers'), '# for the old system\nAuthorization: Bearer t0ken\n\nX-Tenant: 7\n');
    chmodSync(join(home.path, 'headers'), 0o644);
    await expect(scene.obtain()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('others may read'),
    });
    chmodSync(join(home.path, 'headers'), 0o600);
    await scene.obtain();
    expect(asked[0]!.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'x-tenant': '7',
      'accept-encoding': 'identity',
    });
    writeFileSync(join(home.path, 'headers'), 'Bearer t0ken\n');
    await expect(scene.obtain()).rejects.toThrow(/^(?!.*t0ken).*headers:1: expected "Name: value"/);
    writeFileSync(join(home.path, 'headers'), 'Host: other\n');
    await expect(scene.obtain()).rejects.toThrow('is for the request itself to set');
  });

  it('is followed to another path, and never to another server', async () => {
    const other = await serve((_, response) => response.end('elsewhere'));
    const { url, asked } = await serve(({ url: path }, response) => {
      if (path === '/here') response.writeHead(302, { location: '/there' }).end();
      else if (path === '/away') response.writeHead(307, { location: `${other.url}/x` }).end();
      else if (path === '/round') response.writeHead(302, { location: '/round' }).end();
      else response.end('arrived');
    });
    expect(readFileSync(take(await sceneOf({ url: `${url}/here` }).obtain()), 'utf8')).toBe('arrived');
    await expect(sceneOf({ url: `${url}/away` }).obtain()).rejects.toThrow('sends us on to another origin');
    expect(other.asked).toEqual([]);
    await expect(sceneOf({ url: `${url}/round` }).obtain()).rejects.toThrow('more than 3 times');
    expect(asked).toHaveLength(7);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['404', (response) => response.writeHead(404).end('no'), 'the server answered 404'],
    ['500', (response) => response.writeHead(500).end('no'), 'the server answered 500'],
    ['304 to a question that was none', (response) => response.writeHead(304).end(), 'the server answered 304'],
    [
      'an end in the middle',
      (response) => response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy()),
      'its host cut the connection',
    ],
    ['more than is wanted', (response) => response.end('x'.repeat(5000)), 'it is larger than 4 KiB'],
    [
      'more than is wanted, without saying so',
      (response) => {
        response.write('x'.repeat(3000));
        response.end('x'.repeat(3000));
      },
      'it is larger than 4 KiB',
    ],
    ['nothing', (response) => response.end(), 'it is empty'],
  ])('that answers with %s fails, and the last export stays', async (_, fail, words) => {
    let isFailing = false;
    const { url } = await serve((_request, response) => (isFailing ? fail(response) : void response.end('good')));
    const scene = sceneOf({ url: `${url}/a?token=s3cret`, sizeMax: '4KiB' });
    const path = take(await scene.obtain());
    isFailing = true;
    const error = await scene.obtain().catch((reason: Error) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect((error as Error).message).not.toContain('s3cret');
    expect(readFileSync(path, 'utf8')).toBe('good');
    expect(readdirSync(join(scene.folder, 'downloads'))).toEqual(['a']);
  });

  it('that does not end in time fails, and a stop cuts it', async () => {
    const { url } = await serve((_, response) => void response.write('begun'));
    await expect(sceneOf({ url, timeout: '300ms' }).obtain()).rejects.toThrow('it was not complete within 0 s');
    const stop = new AbortController();
    const obtaining = sceneOf({ url }).obtain({ signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(obtaining).rejects.toThrow('stopped');
  });
});

/** Other failures, and how a command is stopped, are in test/proofs/sync/commands.test.ts. */
describe('a command', () => {
  it('writes the export to its standard output, without our key in its environment', async () => {
    const scene = sceneOf(node('console.log(JSON.stringify(Object.keys(process.env)))'));
    const path = take(await scene.obtain());
    expect(path).toBe(join(scene.folder, 'downloads', 'export.ndjson'));
    const names = JSON.parse(readFileSync(path, 'utf8')) as string[];
    expect(names).toContain('PATH');
    expect(names.filter((name) => name.startsWith('CHATFERRY'))).toEqual([]);
  });

  it('is started without a shell', async () => {
    const scene = sceneOf({ command: ['echo', '$HOME; ls > x'], format: 'a.txt' });
    expect(readFileSync(take(await scene.obtain()), 'utf8')).toBe('$HOME; ls > x\n');
  });

  it('that fails changes nothing, and its last output is reported', async () => {
    const folder = home.make();
    const script = join(folder, 'export.cjs');
    const scene = sceneOf({ command: [process.execPath, script, 'p4ssword'], format: 'a.csv' }, folder);
    writeFileSync(script, 'console.log("good")');
    const path = take(await scene.obtain());
    writeFileSync(
      script,
      'console.log("bad"); for (let i = 1; i < 9; i++) console.error("word " + i + "\\x1b[31m"); process.exit(3)',
    );
    const error = await scene.obtain().catch((reason: Error) => reason);
    expect(error).toMatchObject({
      name: 'SourceError',
      message: expect.stringMatching(/it ended with 3; its last words: word 4.* \/ word 8/),
    });
    expect((error as Error).message).not.toMatch(/p4ssword|\x1b|word 3/);
    expect(readFileSync(path, 'utf8')).toBe('good\n');
    expect(readdirSync(join(folder, 'downloads'))).toEqual(['a.csv']);
  });

  it('is not waited for if the stop came before it', async () => {
    const scene = sceneOf(node('setInterval(() => {}, 1000)'));
    await expect(scene.obtain({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
  });
});

describe('a drop folder', () => {
  const at = Date.parse('2026-11-21T12:00:00Z');

  function dropScene(settings: object = {}) {
    const folder = home.make();
    const drop = join(folder, 'in');
    mkdirSync(drop);
    const clock = new VirtualClock(at);
    const scene = sceneOf({ dropFolder: drop, ...settings }, folder);
    const put = (name: string, text: string, ageMinutes = 0) => {
      writeFileSync(join(drop, name), text);
      const seconds = (at - ageMinutes * 60_000) / 1000;
      utimesSync(join(drop, name), seconds, seconds);
    };
    /** Returns the names in each take; `meanwhile` runs during the wait. */
    const names = async (meanwhile?: (clock: VirtualClock) => void, changes: Partial<LocationContext> = {}) => {
      meanwhile?.(clock);
      const { takes } = await scene.obtain({ clock, ...changes });
      for (const one of takes) one.taken();
      return takes.map(({ exports }) => exports.map((path) => path.slice(drop.length + 1)).join(' '));
    };
    return { drop, clock, put, names };
  }

  it('gives each archive once, oldest first, after it has looked the same for a minute', async () => {
    const { put, names, clock } = dropScene();
    put('b.zip', 'b', 10);
    put('a.zip', 'a', 5);
    expect(await names()).toEqual(['b.zip', 'a.zip']);
    expect(clock.now()).toBe(at + 60_000);
    expect(await names()).toEqual([]);
    // Nothing is new, so there is no wait.
    expect(clock.now()).toBe(at + 60_000);
    put('c.zip', 'c');
    expect(await names()).toEqual(['c.zip']);
  });

  it('leaves growing files for later', async () => {
    const { put, names, drop } = dropScene();
    put('a.zip', 'half');
    const grow = (clock: VirtualClock) => clock.after(30_000, () => appendFileSync(join(drop, 'a.zip'), ' more'));
    expect(await names(grow)).toEqual([]);
    expect(await names()).toEqual(['a.zip']);
  });

  it('uses files that have been unchanged long enough without waiting', async () => {
    const { put, names, clock } = dropScene({ settledFor: '10m' });
    put('a.zip', 'a');
    const stop = new AbortController();
    clock.after(1000, () => stop.abort(new Error('stopped')));
    await expect(names(undefined, { signal: stop.signal })).rejects.toThrow('stopped');
    await clock.sleep(600_000);
    const before = clock.now();
    expect(await names()).toEqual(['a.zip']);
    expect(clock.now()).toBe(before);
  });

  it('recognises another archive under an old name by its time, size and first bytes', async () => {
    const { put, names } = dropScene();
    put('a.zip', 'one', 5);
    expect(await names()).toEqual(['a.zip']);
    put('a.zip', 'two', 5);
    expect(await names()).toEqual(['a.zip']);
    put('a.zip', 'longer', 5);
    expect(await names()).toEqual(['a.zip']);
    put('a.zip', 'longer', 4);
    expect(await names()).toEqual(['a.zip']);
    expect(await names()).toEqual([]);
  });

  it('ignores folders, links, hidden and unfinished files, and files that do not match the pattern', async () => {
    const { put, names, drop } = dropScene({ pattern: 'slack-????.zip' });
    for (const name of ['slack-2026.zip', '.slack-2025.zip', 'slack-2026.zip.part', 'other.zip', 'slack-20261.zip'])
      put(name, 'x');
    mkdirSync(join(drop, 'slack-2024.zip'));
    symlinkSync('slack-2026.zip', join(drop, 'slack-2025.zip'));
    expect(await names()).toEqual(['slack-2026.zip']);
  });

  it('gives everything again for a new store or other rules', async () => {
    const { put, names } = dropScene();
    put('a.zip', 'a', 2);
    put('b.zip', 'b', 1);
    expect(await names()).toEqual(['a.zip', 'b.zip']);
    expect(await names(undefined, { isFresh: true })).toEqual(['a.zip', 'b.zip']);
    expect(await names()).toEqual([]);
  });

  it('does not wait longer because the clock was set back', async () => {
    const { put, names, clock, drop } = dropScene();
    put('a.zip', 'half');
    const stop = new AbortController();
    clock.after(1000, () => stop.abort(new Error('stopped')));
    await expect(names(undefined, { signal: stop.signal })).rejects.toThrow('stopped');
    const earlier = new VirtualClock(at - 86_400_000);
    expect(await names(undefined, { clock: earlier })).toEqual(['a.zip']);
    expect(earlier.now()).toBe(at - 86_400_000 + 60_000);
    expect(readdirSync(drop)).toEqual(['a.zip']);
  });

  it.runIf(process.platform === 'linux')('names what cannot be read, and gives the others', async () => {
    // Files of which one cannot be read by any user.
    const scene = sceneOf({ dropFolder: '/proc/self', pattern: '?*m', settledFor: '0s' });
    const { takes, failures } = await scene.obtain();
    expect(takes.flatMap(({ exports }) => exports).sort()).toEqual(['/proc/self/comm', '/proc/self/statm']);
    expect(failures).toMatchObject([{ name: 'SourceError', message: expect.stringContaining('/proc/self/mem') }]);
  });

  it('that is not there is an error of the export', async () => {
    await expect(sceneOf({ dropFolder: '/no/such/folder' }).obtain()).rejects.toMatchObject({ name: 'SourceError' });
  });
});
