import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartFile } from '../../../src/media/fetch/part-file.ts';
import {
  assertFetched,
  bytesOf,
  makeFetcher,
  makeFolder,
  never,
  picture,
  pngOf,
  type Served,
  sendAndCut,
  serve,
} from './scene.ts';

/** A file as a good server keeps it, with ranges and the values that distinguish its versions. */
interface Version {
  readonly bytes: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Answers as RFC 9110 requires. If asked to, cuts the connection after a number of bytes. */
function answerRange(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { bytes, etag, lastModified }: Version,
  cutAt = Number.POSITIVE_INFINITY,
): void {
  const isSame = headers['if-range'] === undefined || [etag, lastModified].includes(headers['if-range'] as string);
  const start = isSame ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
  const isPart = isSame && headers.range !== undefined;
  const said = {
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { 'last-modified': lastModified }),
  };
  if (start >= bytes.length && isPart) return void response.writeHead(416, said).end();
  response.writeHead(isPart ? 206 : 200, {
    ...said,
    'content-length': String(bytes.length - start),
    ...(isPart && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  const body = bytes.subarray(start, Math.min(bytes.length, start + cutAt));
  if (cutAt < bytes.length - start) sendAndCut(response, body);
  else response.end(body);
}

const png = pngOf(1_000_000);
const version: Version = { bytes: png, etag: '"v1"' };
const ranges = ({ requests }: Served) => requests.map(({ headers }) => [headers.range, headers['if-range']]);

/** Returns the start of a request's range; 0 if it requests the whole file. */
const startOf = ({ headers }: IncomingMessage): number => Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);

/** Maximum loss when a connection is cut: bytes in the stream that were not read yet. */
const lostMax = 192 * 1024;

function expectContinued(request: IncomingMessage | undefined, cutAt: number): void {
  expect(startOf(request!)).toBeGreaterThan(cutAt - lostMax);
  expect(startOf(request!)).toBeLessThanOrEqual(cutAt);
}

/** Each answer of its own: the first, the second, and the last for all that follow. */
async function serveOneByOne(...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  let count = 0;
  return serve((request, response) => answers[Math.min(count++, answers.length - 1)]!(request, response));
}

const cut = (at: number, of: Version) => (request: IncomingMessage, response: ServerResponse) =>
  answerRange(request, response, of, at);
const all = (of: Version) => cut(Number.POSITIVE_INFINITY, of);

describe('a connection that is cut', () => {
  it('is resumed where it broke, at any byte, and the file is the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 8, max: 200_000 }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 3 }),
        async (sizeBytes, shares) => {
          const file: Version = { bytes: pngOf(sizeBytes), etag: '"v1"' };
          const cuts = shares.map((share) => cut(Math.floor(share * sizeBytes), file));
          const served = await serveOneByOne(...cuts, all(file));
          const fetched = await makeFetcher().fetch(served.at('/x.png'), picture, never);
          assertFetched(fetched);
          expect((await bytesOf(fetched.content)).equals(file.bytes)).toBe(true);
          expect(fetched.content.sha256).toBe(createHash('sha256').update(file.bytes).digest('hex'));
          await fetched.release();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('costs only the bytes in transit', async () => {
    const served = await serveOneByOne(cut(400_000, version), cut(500_000, version), all(version));
    assertFetched(await makeFetcher().fetch(served.at('/x.png'), picture, never));
    const [first, second, third] = served.requests;
    expect(first!.headers).not.toHaveProperty('range');
    expectContinued(second, 400_000);
    expectContinued(third, startOf(second!) + 500_000);
    expect([second, third].map((request) => request!.headers['if-range'])).toEqual(['"v1"', '"v1"']);
  });

  it('may come more often than there are tries, where much came between', async () => {
    const large: Version = { bytes: Buffer.alloc(10 * 1024 ** 2, 'x'), etag: '"v1"' };
    const served = await serve((request, response) => answerRange(request, response, large, 1.5 * 1024 ** 2));
    const fetcher = makeFetcher({ rules: { maxBytes: 1024 ** 3 } });
    assertFetched(await fetcher.fetch(served.at('/x.bin'), { ...picture, name: 'x.bin', mimeType: '' }, never));
    expect(served.requests.length).toBeGreaterThan(6);
  });

  it.each([
    ['a weak tag', { bytes: png, etag: 'W/"v1"' }],
    ['nothing', { bytes: png }],
    ['a time of this very second', { bytes: png, lastModified: new Date(Date.now() + 3_600_000).toUTCString() }],
  ])('starts over if the server has %s to identify files by', async (_, of) => {
    const served = await serveOneByOne(cut(500_000, of), all(of));
    assertFetched(await makeFetcher().fetch(served.at('/x.png'), picture, never));
    expect(ranges(served)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('is continued by the time of the last change where that is long ago', async () => {
    const old: Version = { bytes: png, lastModified: 'Mon, 05 Jan 2026 10:00:00 GMT' };
    const served = await serveOneByOne(cut(500_000, old), all(old));
    assertFetched(await makeFetcher().fetch(served.at('/x.png'), picture, never));
    expectContinued(served.requests[1], 500_000);
    expect(served.requests[1]!.headers['if-range']).toBe(old.lastModified);
  });
});

describe('a file that is another one when it is continued', () => {
  const other: Version = { bytes: pngOf(900_000).fill(7, 100), etag: '"v2"' };

  /** Without a look at If-Range. */
  const part =
    (headers: Readonly<Record<string, string>>, early = 0, bytes = other.bytes) =>
    (request: IncomingMessage, response: ServerResponse) => {
      const start = startOf(request) - early;
      if (request.headers.range === undefined) return answerRange(request, response, other);
      const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-range': range, ...headers }).end(bytes.subarray(start));
    };

  it.each([
    ['where the server looks at If-Range', all(other)],
    ['where only its tag says so', part({ etag: '"v2"' }, 0, png)],
    ['where only its length says so', part({})],
    ['where another range comes than was asked for', part({ etag: '"v1"' }, 1, png)],
    ['where the range is damaged', part({ etag: '"v1"', 'content-range': 'bytes */*' })],
    [
      'where it is too short for the range',
      (request: IncomingMessage, response: ServerResponse) => {
        if (request.headers.range === undefined) answerRange(request, response, other);
        else response.writeHead(416).end();
      },
    ],
  ])('starts over: %s', async (_, then) => {
    const served = await serveOneByOne(cut(500_000, version), then);
    const fetched = await makeFetcher().fetch(served.at('/x.png'), picture, never);
    assertFetched(fetched);
    expect((await bytesOf(fetched.content)).equals(other.bytes)).toBe(true);
    expectContinued(served.requests[1], 500_000);
  });
});

describe('a file that starts over', () => {
  it('is not resumed as its earlier version', async () => {
    const untold: Version = { bytes: pngOf(900_000).fill(7, 100) };
    const served = await serveOneByOne(cut(500_000, version), cut(500_000, untold), all(untold));
    const fetched = await makeFetcher().fetch(served.at('/x.png'), picture, never);
    assertFetched(fetched);
    expect((await bytesOf(fetched.content)).equals(untold.bytes)).toBe(true);
    expect(served.requests[2]!.headers).not.toHaveProperty('range');
  });
});

describe('the partial file of a stopped run', () => {
  /** A folder with the first bytes of the file. */
  async function stopped(served: Served, folder: string): Promise<void> {
    const stop = new AbortController();
    const first = makeFetcher({ folder, onSleep: () => stop.abort(new Error('stopped')) });
    await expect(first.fetch(served.at('/x.png'), picture, stop.signal)).rejects.toThrow('stopped');
    await first.close();
  }

  it('is resumed by the next run, from the bytes that are certainly on disk', async () => {
    const folder = makeFolder();
    const served = await serveOneByOne(cut(500_000, version), all(version));
    await stopped(served, folder);
    const part = readdirSync(folder).find((name) => name.endsWith('.part'))!;
    // Bytes that were never flushed: a power cut may have left anything in their place.
    appendFileSync(join(folder, part), Buffer.alloc(500));
    const fetched = await makeFetcher({ folder }).fetch(served.at('/x.png'), picture, never);
    assertFetched(fetched);
    expect((await bytesOf(fetched.content)).equals(png)).toBe(true);
    expectContinued(served.requests[1], 500_000);
    await fetched.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('needs a request for only its last byte if it is complete', async () => {
    const folder = makeFolder();
    const served = await serveOneByOne(cut(500_000, version), all(version));
    await stopped(served, folder);
    const [notes, part] = readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
    writeFileSync(part!, png);
    writeFileSync(notes!, readFileSync(notes!, 'utf8').replace(/"keptBytes":\d+/, '"keptBytes":1000000'));
    assertFetched(await makeFetcher({ folder }).fetch(served.at('/x.png'), picture, never));
    expect(ranges(served)[1]).toEqual(['bytes=999999-', '"v1"']);
  });

  it.each(['not JSON', '{"keptBytes":-1}', '{"keptBytes":1000001,"etag":"\\"v1\\""}', '[]'])(
    'is not believed where its notes are damaged: %s',
    async (text) => {
      const folder = makeFolder();
      const served = await serveOneByOne(cut(500_000, version), all(version));
      await stopped(served, folder);
      writeFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!), text);
      const fetched = await makeFetcher({ folder }).fetch(served.at('/x.png'), picture, never);
      assertFetched(fetched);
      expect((await bytesOf(fetched.content)).equals(png)).toBe(true);
      expect(ranges(served)[1]).toEqual([undefined, undefined]);
    },
  );

  it('is dropped after a week', async () => {
    const folder = makeFolder();
    const served = await serveOneByOne(cut(500_000, version), all(version));
    await stopped(served, folder);
    const later = {
      now: () => Date.now() + 8 * 86_400_000,
      monotonic: () => 0,
      uptime: () => 0,
      sleep: async () => {},
    };
    makeFetcher({ folder, clock: later });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('PartFile', () => {
  it('notes every 16 MiB how much is safe, so that a kill costs no more', async () => {
    const part = new PartFile(makeFolder(), 'a', false);
    const writer = await part.begin();
    const chunk = Buffer.alloc(1024 ** 2);
    for (let count = 0; count < 17; count++) await writer.write(chunk, { etag: '"v1"' });
    expect(await part.kept()).toEqual({ etag: '"v1"', keptBytes: 16 * 1024 ** 2 });
    await writer.close();
    await part.begin().then((again) => again.close());
    expect(await part.kept()).toBeUndefined();
  });
});
