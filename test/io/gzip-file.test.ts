import { existsSync, readFileSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Caps, defaultCaps } from '../../src/io/input/caps.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { collect, failure } from '../contracts/export-input.ts';
import { temporaryFile } from './temporary-files.ts';
import { tenthOf } from '../tier.ts';

const long = Buffer.from(Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join(''));

async function open(packed: Uint8Array, caps: Partial<Caps> = {}) {
  const [input] = await openExport([temporaryFile('a.txt.gz', packed)], caps);
  onTestFinished(() => input!.close());
  return input!;
}

async function readUntilFault(chunks: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  const error = await failure(
    (async () => {
      for await (const chunk of chunks) pieces.push(chunk);
    })(),
  );
  return { bytes: Buffer.concat(pieces), error: error as SourceError };
}

describe('a gzip file', () => {
  it('may have several members, which are one file', async () => {
    const members = [long.subarray(0, 10), Buffer.alloc(0), long.subarray(10, 500_000), long.subarray(500_000)];
    const input = await open(Buffer.concat(members.map((member) => gzipSync(member))));
    expect((await collect(input.open('a.txt'))).equals(long)).toBe(true);
    expect((await input.stat('a.txt')).sizeBytes).toBe(long.length);
  });

  it('may be followed by zeros, as tapes and some servers add them', async () => {
    const input = await open(Buffer.concat([gzipSync(long), Buffer.alloc(1000)]));
    expect((await collect(input.open('a.txt'))).equals(long)).toBe(true);
  });

  it('yields the readable part if it is truncated, then the error', async () => {
    const packed = gzipSync(long);
    const input = await open(packed.subarray(0, packed.length >> 1));
    const { bytes, error } = await readUntilFault(input.open('a.txt'));
    expect(error).toBeInstanceOf(SourceError);
    expect(error.message).toBe('Cannot unpack the whole gzip file: it is cut off (a.txt)');
    expect(bytes.length).toBeGreaterThan(long.length / 4);
    expect(bytes.equals(long.subarray(0, bytes.length))).toBe(true);
    expect((await input.stat('a.txt')).sizeBytes).toBe(bytes.length);
  });

  it('is cut off at every byte of its end: never silence', async () => {
    const packed = gzipSync('short');
    for (let length = 11; length < packed.length; length += 1) {
      const input = await open(packed.subarray(0, length));
      expect((await readUntilFault(input.open('a.txt'))).error, `${length} bytes`).toBeInstanceOf(SourceError);
    }
  });

  it('yields the part before the damage if it is damaged, then the error', async () => {
    const packed = Buffer.concat([gzipSync(long, { finishFlush: constants.Z_SYNC_FLUSH }), Buffer.from([0x07])]);
    const { bytes, error } = await readUntilFault((await open(packed)).open('a.txt'));
    expect(error.message).toBe('Cannot unpack the whole gzip file: it is damaged (a.txt)');
    expect(bytes.equals(long)).toBe(true);
  });

  it('has a wrong checksum: all of it is yielded, then the error', async () => {
    const packed = gzipSync(long);
    packed[packed.length - 8]! ^= 1;
    const { bytes, error } = await readUntilFault((await open(packed)).open('a.txt'));
    expect(error.message).toContain('it is damaged');
    expect(bytes.equals(long)).toBe(true);
  });

  it('unpacks to far more than it should: it stops at the cap', async () => {
    const ratioFreeBytes = tenthOf(defaultCaps.ratioFreeBytes);
    const bomb = gzipSync(Buffer.alloc(3 * ratioFreeBytes), { level: constants.Z_BEST_COMPRESSION });
    const { bytes, error } = await readUntilFault((await open(bomb, { ratioFreeBytes })).open('a.txt'));
    expect(error.message).toBe(`Cannot unpack the whole gzip file: it has more than ${ratioFreeBytes} bytes (a.txt)`);
    expect(bytes.length).toBeLessThanOrEqual(ratioFreeBytes);
    const generous = await open(bomb, { ratioFreeBytes, ratioMax: 2000 });
    expect((await generous.stat('a.txt')).sizeBytes).toBe(3 * ratioFreeBytes);
  });

  it('reports at least its compressed size if it is large', async () => {
    const large = await open(gzipSync(Buffer.alloc(17 * 2 ** 20), { level: constants.Z_NO_COMPRESSION }));
    const { sizeBytes } = await large.stat('a.txt');
    expect(sizeBytes).toBeGreaterThanOrEqual(17 * 2 ** 20);
    expect(sizeBytes).toBeLessThan(17.1 * 2 ** 20);
  });

  it('is copied for formats that need a local file, and the copy is removed', async () => {
    const input = await open(gzipSync(long));
    const copy = await input.materialise('a.txt');
    expect(readFileSync(copy).equals(long)).toBe(true);
    await input.close();
    expect(existsSync(copy)).toBe(false);
  });

  it('leaves no copy of a file that is cut off', async () => {
    const input = await open(gzipSync(long).subarray(0, 5000));
    expect(await failure(input.materialise('a.txt'))).toBeInstanceOf(SourceError);
  });
});
