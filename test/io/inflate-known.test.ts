import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflateKnown } from '../../src/io/zip/inflate-known.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { testSeed } from '../seed.ts';

const hello = Buffer.from('[{"text":"hello"}]'.repeat(50));
const packed = deflateRawSync(hello);

describe('inflateKnown()', () => {
  it('answers what was packed, time and again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(inflateKnown(deflateRawSync(bytes), bytes.length).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it('leaves what it answered before as it is', () => {
    const first = inflateKnown(packed, hello.length);
    inflateKnown(deflateRawSync(Buffer.alloc(hello.length, 'x')), hello.length);
    expect(first.equals(hello)).toBe(true);
  });

  it.each([
    ['cut off', packed.subarray(0, packed.length - 5), hello.length, 'Z_BUF_ERROR'],
    ['no deflate data', Buffer.from([0x07, 1, 2, 3]), 100, 'Z_DATA_ERROR'],
    ['longer than it says', packed, hello.length - 10, 'ERR_BUFFER_TOO_LARGE'],
  ])('refuses data that are %s, and goes on with the next', (_what, data, sizeBytes, code) => {
    expect(() => inflateKnown(data, sizeBytes)).toThrow(expect.objectContaining({ code }));
    expect(inflateKnown(packed, hello.length).equals(hello)).toBe(true);
  });

  it.each([-1, 1, 1000])(
    'answers what there is where that is not quite what it says: comparing is the caller’s',
    (more) => {
      expect(inflateKnown(packed, hello.length + more).equals(hello)).toBe(true);
    },
  );

  it('takes what does not get smaller, and nothing at all', () => {
    const random = seededRandom(testSeed);
    const noise = Buffer.from(Array.from({ length: 100_000 }, () => random() * 256));
    expect(inflateKnown(deflateRawSync(noise), noise.length).equals(noise)).toBe(true);
    expect(inflateKnown(deflateRawSync(Buffer.alloc(0)), 0).length).toBe(0);
  });
});
