import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpiry } from '../../../src/media/fetch/expiry.ts';

const at = (text: string) => Date.parse(text);

describe('parseExpiry()', () => {
  it.each([
    [
      'https://cdn.discordapp.com/attachments/1/2/my_image.png?ex=65d903de&is=65c68ede&hm=2481f30dd67f503f54d020ae3b5533b9987fae4e55f2b4e3926e08a3fa3ee24f&',
      at('2024-02-23T20:45:18Z'),
    ],
    [
      'https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261123T160000Z&X-Amz-Expires=3600&X-Amz-Signature=ab',
      at('2026-11-23T17:00:00Z'),
    ],
    [
      'https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4&X-Goog-Date=20260101T000000Z&X-Goog-Expires=604800',
      at('2026-01-08T00:00:00Z'),
    ],
    ['https://d1.cloudfront.net/a?Expires=1700000000&Signature=x&Key-Pair-Id=K', 1_700_000_000_000],
    [
      'https://a.blob.core.windows.net/c/b?sv=2022-11-02&se=2026-12-01T00%3A00%3A00Z&sp=r&sig=x',
      at('2026-12-01T00:00:00Z'),
    ],
    ['https://a.blob.core.windows.net/c/b?se=2026-12-01&sig=x', at('2026-12-01T00:00:00Z')],
    ['https://a.blob.core.windows.net/c/b?se=2026-12-01T10:30Z&sig=x', at('2026-12-01T10:30:00Z')],
    ['https://scontent.xx.fbcdn.net/v/a.jpg?_nc_cat=1&oh=00_AfC&oe=65D8F2A1', at('2024-02-23T19:31:45Z')],
  ])('reads %s', (url, expected) => {
    expect(parseExpiry(url)).toBe(expected);
  });

  it.each([
    '',
    'cat.png',
    'https://files.slack.com/files-pri/T1-F1/a.png',
    'https://files.slack.com/files-pri/T1-F1/a.png?t=xoxe-1',
    'https://example.com/a?ex=65d903de',
    'https://example.com/a?ex=tomorrow&is=1&hm=2',
    'https://example.com/a?se=2026-12-01',
    'https://example.com/a?se=soon&sig=x',
    'https://example.com/a?se=2026-13-41&sig=x',
    'https://example.com/a?oe=65D8F2A1',
    'https://example.com/a?Expires=never',
    'https://example.com/a?Expires=99999999999999999999',
    'https://example.com/a?X-Amz-Date=20269999T999999Z&X-Amz-Expires=1',
    'https://example.com/a?X-Amz-Date=20261123T160000Z',
    'https://example.com/a?X-Amz-Date=20261123T160000Z&X-Amz-Expires=-5',
    'https://example.com/a#?Expires=1700000000',
  ])('reads nothing in %j', (url) => {
    expect(parseExpiry(url)).toBeUndefined();
  });

  it('answers an instant or nothing, and never throws', () => {
    const keys = [
      'X-Amz-Date',
      'X-Amz-Expires',
      'X-Goog-Date',
      'X-Goog-Expires',
      'ex',
      'is',
      'hm',
      'se',
      'sig',
      'oe',
      'oh',
      'Expires',
    ];
    const value = fc.oneof(fc.string(), fc.stringMatching(/^[\dA-Fa-fTZ:-]{0,20}$/), fc.integer().map(String));
    const query = fc
      .array(fc.tuple(fc.constantFrom(...keys), value))
      .map((pairs) => `https://a.test/?${new URLSearchParams(pairs)}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), query), (url) => {
        const ms = parseExpiry(url);
        if (ms !== undefined) expect(new Date(ms).toISOString()).toMatch(/^[+\d]/);
      }),
      { numRuns: 500 },
    );
  });

  it('reads every time that Discord can write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x10000000, max: 0xffffffff }), (seconds) => {
        expect(parseExpiry(`https://cdn.discordapp.com/a?ex=${seconds.toString(16)}&is=0&hm=0`)).toBe(seconds * 1000);
      }),
    );
  });
});
