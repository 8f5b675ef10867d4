import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Base32, sha256Hex } from '../../src/lib/hash.ts';
import { anyText } from '../arbitrary-text.ts';

/** RFC 4648 by arithmetic: the digest as one large number, padded to 260 bits, to the base of 32. */
function base32(text: string): string {
  const digest = createHash('sha256').update(text, 'utf8').digest('hex');
  let number = BigInt(`0x${digest}`) << 4n;
  let letters = '';
  for (let index = 0; index < 52; index++) {
    letters = 'abcdefghijklmnopqrstuvwxyz234567'[Number(number & 31n)] + letters;
    number >>= 5n;
  }
  return letters;
}

describe('sha256Base32()', () => {
  it('is the beginning of lower-case base32 of SHA-256, for any text and length', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 51 }), (text, length) => {
        expect(sha256Base32(text, length)).toBe(base32(text).slice(0, length));
      }),
    );
  });

  it('agrees with what another program prints', () => {
    // printf abc | openssl dgst -sha256 -binary | base32 | tr A-Z a-z
    expect(sha256Base32('abc', 51)).toBe('xj4bnp4pahh6uqkbidpf3lrceoyagyndsylxvhfucd7wd4qacww');
  });
});

describe('sha256Hex()', () => {
  it('is SHA-256 over UTF-8', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('é')).toBe(
      createHash('sha256')
        .update(Buffer.from([0xc3, 0xa9]))
        .digest('hex'),
    );
  });
});
