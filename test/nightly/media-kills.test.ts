import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { verifyFiles } from '../../src/commands/move.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import type { MediaData } from '../../src/report/report-data.ts';
import { Breaking } from '../scenes/media/breaking.ts';
import { FileServer } from '../scenes/media/file-server.ts';
import type { CarryTask } from '../scenes/media/import-process.ts';
import { makeOldSystem, type OldSystem, type Wanted } from '../scenes/media/old-system.ts';
import { bucketKeys, StrictBucket } from '../scenes/strict-bucket.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

/** `MEDIA_KILLS=100` takes some minutes; 30 take one. */
const killsWanted = Number(process.env.MEDIA_KILLS ?? 30);
/** A process lives so long at most once it is ready, in ms. */
const lifeMaxMs = 1_500;
/** Or is killed at one of its first requests: on a slow machine time alone would never let it come far. */
const requestMax = 120;
const fileCount = 320;
const program = fileURLToPath(new URL('../scenes/media/import-process.ts', import.meta.url));
const home = temporaryFolder();

/** A place where files stay, and what it has. */
interface Place {
  readonly media: CarryTask['media'];
  /** Before the keys, of what messages name. */
  readonly address: string;
  /** Bytes by key. */
  readonly files: () => Map<string, Buffer>;
  /** Remains that are not files: halves, unfinished uploads. */
  readonly rest: () => readonly string[];
}

const partial = '.chatferry-partial';

function folderPlace(folder: string): Place {
  const to = join(folder, 'media');
  const address = 'https://files.example.com/chat';
  return {
    media: { to, address },
    address,
    files() {
      const names = existsSync(to) ? readdirSync(to).filter((name) => name !== partial) : [];
      return new Map(names.map((name) => [name, readFileSync(join(to, name))]));
    },
    rest: () => (existsSync(join(to, partial)) ? [partial, ...readdirSync(join(to, partial))] : []),
  };
}

/** Cuts off a request: if it has a body, after some of it has arrived. */
function cutOff(request: IncomingMessage): void {
  const cut = () => request.socket.resetAndDestroy();
  if (Number(request.headers['content-length'] ?? 0) > 0) request.once('data', cut);
  else cut();
}

/** A bucket that breaks one request in ten as well. */
async function bucketPlace(breaking: Breaking): Promise<Place> {
  const bucket = new StrictBucket();
  bucket.pageSize = 100;
  bucket.instead = (asked) => {
    const way = breaking.next(asked);
    if (way === 'error' || way === 'long') return (_, response) => void response.writeHead(500).end();
    if (way === 'busy') return (_, response) => void response.writeHead(503, { 'retry-after': '1' }).end();
    if (way === 'cut') return cutOff;
    return undefined;
  };
  const endpoint = await bucket.serve();
  return {
    media: { to: 's3://files/chat', endpoint },
    address: `${endpoint}/files/chat`,
    files: () => new Map([...bucket.objects].map(([key, { bytes }]) => [key.replace(/^chat\//, ''), bytes])),
    rest: () => [...bucket.uploads.keys()],
  };
}

interface Ended {
  readonly exit: number;
  readonly totals: { readonly pending: number; readonly unconfirmed: number };
  readonly media: MediaData;
}

/** When a process is killed: so many ms after it is ready, or with the request of that number. */
type Death = { readonly ms: number } | { readonly request: number };

/** One life of the process. @returns What it ended with; nothing where it was killed before. */
async function live(task: CarryTask, death: Death | undefined, breaking: Breaking): Promise<Ended | undefined> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    env: { ...process.env, ...bucketKeys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complaints, timer] = ['', '', undefined as NodeJS.Timeout | undefined];
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk));
  const kill = () => child.kill('SIGKILL');
  let left = death && 'request' in death ? death.request : Number.POSITIVE_INFINITY;
  breaking.onAsked = () => void (left-- === 0 && kill());
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready' && death && 'ms' in death) timer = setTimeout(kill, death.ms);
    else if (line !== 'ready') said = line;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (signal === 'SIGKILL') return undefined;
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  return JSON.parse(said) as Ended;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Every file there is whole, and one that was served, whatever the instant is. */
function expectWhole({ files }: Place, { sizes }: OldSystem): void {
  for (const [key, bytes] of files()) {
    const digest = /^[0-9a-f]{64}/.exec(key)?.[0] ?? '';
    expect(sizes.get(digest), key).toBe(bytes.length);
    expect(sha256(bytes), key).toBe(digest);
  }
}

/** Texts and files by conversation as they arrived: a file by the digest in its address, as long as that names what is at the place. */
function arrived(store: string, { address, files }: Place) {
  const db = new Database(store.replace(/\.db$/, '.sandbox.db'), { readonly: true });
  const there = files();
  const sha256Of = (url: string) =>
    there.has(url.slice(address.length + 1)) ? url.slice(-68).match(/[0-9a-f]{64}/)?.[0] : url;
  const contents = new Map<string, { text: string; files: unknown[] }[]>();
  const rows = db
    .prepare<[], { name: string; data: string }>(
      'SELECT c.name, m.data FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id',
    )
    .all();
  db.close();
  for (const { name, data } of rows) {
    const { text, attachments = [] } = JSON.parse(data) as { text: string; attachments?: { url: string }[] };
    const message = { text, files: attachments.map(({ url }) => sha256Of(url)) };
    contents.set(name, [...(contents.get(name) ?? []), message]);
  }
  return contents;
}

const digests = (uses: readonly Wanted[]): string[] =>
  uses.flatMap((wanted) => (typeof wanted === 'string' ? [] : [wanted.sha256]));

/** As the sandbox names and orders them. */
function wantedMessages({ messages }: OldSystem) {
  return new Map(
    [...messages].map(([name, list]) => [
      `group_${name}`,
      list.map(({ text, files }) => ({ text, files: digests(files) })),
    ]),
  );
}

function wantedSums({ uses, sizes }: OldSystem) {
  const count = (what: Wanted) => uses.filter((wanted) => wanted === what).length;
  const copied = new Set(digests(uses));
  return {
    files: uses.length,
    copied: copied.size,
    shared: digests(uses).length - copied.size,
    missing: count('missing'),
    refused: count('refused'),
    waiting: 0,
    waitingMessages: 0,
    copiedBytes: [...copied].reduce((sum, digest) => sum + sizes.get(digest)!, 0),
  };
}

async function expectDone(ended: Ended, { task, place, system }: Scene): Promise<void> {
  expect(ended).toMatchObject({ totals: { pending: 0, unconfirmed: 0 }, media: wantedSums(system) });
  const { files, copied, shared, missing, refused } = ended.media;
  expect(files).toBe(copied + shared + missing + refused);
  expectWhole(place, system);
  expect([...place.files().keys()].map((key) => key.slice(0, 64)).sort()).toEqual(
    [...new Set(digests(system.uses))].sort(),
  );
  expect(place.rest()).toEqual([]);
  const left = readdirSync(join(task.store, '..')).filter((name) => /fetching|\.tmp$|-wal$|-journal$/.test(name));
  expect(left).toEqual([]);
  expect(arrived(task.store, place)).toEqual(wantedMessages(system));
  const verified = await verifyFiles({ store: task.store, env: bucketKeys });
  expect(verified).toMatchObject({ exit: 0, same: ended.media.copied, files: ended.media.copied, differences: [] });
}

interface Scene {
  readonly task: CarryTask;
  readonly place: Place;
  readonly system: OldSystem;
}

/** An import that is killed again and again until it has ended by itself. @returns How often. */
async function migrate(kind: 'bucket' | 'folder', number: number, killsMax: number) {
  const random = seededRandom(number);
  const folder = home.make();
  const breaking = new Breaking(seededRandom(number + 1));
  const server = new FileServer(breaking);
  await server.listen();
  const place = kind === 'folder' ? folderPlace(folder) : await bucketPlace(breaking);
  const system = makeOldSystem(folder, server, fileCount);
  const task = { store: join(folder, 'chatferry.db'), from: system.path, media: place.media };
  let kills = 0;
  for (;;) {
    const death = random() < 0.5 ? { ms: random() * lifeMaxMs } : { request: Math.floor(random() * requestMax) };
    const ended = await live(task, kills < killsMax ? death : undefined, breaking);
    expectWhole(place, system);
    if (ended) {
      await expectDone(ended, { task, place, system });
      return { kills, asked: breaking.asked, broken: breaking.broken };
    }
    kills++;
  }
}

/** One import after the other, until so many processes were killed. */
async function killTimes(kind: 'bucket' | 'folder', from: number, wanted: number) {
  const sum = { migrations: 0, kills: 0, requests: 0, broken: 0 };
  while (sum.kills < wanted) {
    const number = from + 10 * sum.migrations++;
    const done = await migrate(kind, number, wanted - sum.kills).catch((cause: unknown) => {
      throw new Error(`Seed ${number}, a ${kind}`, { cause });
    });
    sum.kills += done.kills;
    sum.requests += done.asked;
    sum.broken += done.broken;
  }
  return sum;
}

describe('an import that copies files, killed at random instants while one request in ten breaks,', () => {
  it('ends with every file there once and whole, and every message with its address', async ({ task }) => {
    const half = Math.ceil(killsWanted / 2);
    const [bucket, place] = await Promise.all([
      killTimes('bucket', seed, half),
      killTimes('folder', seed + 5, killsWanted - half),
    ]);
    task.meta.figures = {
      ...{ migrations: bucket.migrations + place.migrations, kills: bucket.kills + place.kills },
      ...{ requests: bucket.requests + place.requests, broken: bucket.broken + place.broken },
    };
  });
});
