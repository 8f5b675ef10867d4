import { describe, expect, it } from 'vitest';
import type { Checked } from '../../src/checks/check.ts';
import { checks } from '../../src/checks/registry.ts';

const dayMs = 86_400_000;
const nowMs = Date.parse('2026-11-21T12:00:00Z');

/** What the checks say of a message that is fine but for the changes: code and words of each. */
function found(changes: Partial<Checked>): Record<string, string> {
  const message = {
    text: 'x',
    attachmentCount: 0,
    data: '{}',
    tags: [],
    sentAtMs: nowMs - dayMs,
    limits: {},
    nowMs,
    ...changes,
  };
  return Object.fromEntries(
    checks.flatMap(({ code, find }) => {
      const words = find(message);
      return words === undefined ? [] : [[code, words]];
    }),
  );
}

describe('the checks', () => {
  it('have codes of their own, and explain themselves in whole sentences', () => {
    expect(new Set(checks.map(({ code }) => code)).size).toBe(checks.length);
    for (const { code, explanation } of checks) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(explanation).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('find nothing in an ordinary message, with limits and without', () => {
    const limits = { retentionDays: 183, dataBytesMax: 10_240, tagsMax: 25, tagLengthMax: 100 };
    expect(found({})).toEqual({});
    expect(found({ limits })).toEqual({});
  });
});

describe('blank-text', () => {
  it.each(['', ' ', '\n\t\u00a0\u3000\ufeff'])('finds %j without a file', (text) => {
    expect(found({ text })).toEqual({ 'blank-text': 'neither text nor a usable attachment' });
    expect(found({ text, attachmentCount: 1 })).toEqual({});
  });
});

describe('time-out-of-range', () => {
  it.each([
    [0, 'sent at 1970-01-01T00:00:00.000Z'],
    [1_700_000_000, 'sent at 1970-01-20T16:13:20.000Z'],
    [-1, 'sent at 1969-12-31T23:59:59.999Z'],
    [nowMs + dayMs + 1, 'sent at 2026-11-22T12:00:00.001Z'],
    [1.7e18, 'sent at 1700000000000000000 ms'],
    [Number.NaN, 'sent at NaN ms'],
  ])('finds %d', (sentAtMs, words) => {
    expect(found({ sentAtMs })).toEqual({ 'time-out-of-range': words });
  });

  it.each([365 * dayMs, nowMs, nowMs + dayMs])('leaves %d alone', (sentAtMs) => {
    expect(found({ sentAtMs })).toEqual({});
  });
});

describe('too-old', () => {
  const limits = { retentionDays: 183 };

  it('finds what is a millisecond older than the destination keeps', () => {
    expect(found({ sentAtMs: nowMs - 183 * dayMs, limits })).toEqual({});
    expect(found({ sentAtMs: nowMs - 183 * dayMs - 1, limits })).toEqual({ 'too-old': '184 days old, 183 allowed' });
  });

  it('finds nothing where no retention is known', () => {
    expect(found({ sentAtMs: nowMs - 10_000 * dayMs })).toEqual({});
  });
});

describe('too-many-tags', () => {
  it('finds too many, and too long ones', () => {
    const limits = { tagsMax: 2, tagLengthMax: 3 };
    expect(found({ tags: ['a', 'abc'], limits })).toEqual({});
    expect(found({ tags: ['a', 'b', 'c'], limits })).toEqual({ 'too-many-tags': '3 tags, 2 allowed' });
    expect(found({ tags: ['a', 'abcd'], limits })).toEqual({ 'too-many-tags': 'a tag of 4 characters, 3 allowed' });
  });
});

describe('data-too-large', () => {
  it.each([
    ['ASCII', 'x', 1],
    ['two bytes', 'é', 2],
    ['three bytes', '日', 3],
    ['a pair of code units', '😀', 4],
  ])('counts bytes of UTF-8: %s', (_, character, bytesEach) => {
    const data = character.repeat(100);
    expect(found({ data, limits: { dataBytesMax: 100 * bytesEach } })).toEqual({});
    expect(found({ data, limits: { dataBytesMax: 100 * bytesEach - 1 } })).toEqual({
      'data-too-large': `${100 * bytesEach} bytes of data, ${100 * bytesEach - 1} allowed`,
    });
  });
});
