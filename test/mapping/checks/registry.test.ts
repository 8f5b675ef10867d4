import { describe, expect, it } from 'vitest';
import type { Checked } from '../../../src/mapping/checks/check.ts';
import { isPrivateAddress } from '../../../src/io/web/private-address.ts';
import { blockingChecks } from '../../../src/mapping/checks/blocking.ts';
import { catalogue, findCheck, askMessage, describeRemedy } from '../../../src/mapping/checks.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { sampleCodes } from './sample-codes.ts';
import { message, nowMs } from './clean-export.ts';

const dayMs = 86_400_000;

/** Returns the findings of the blocking checks for a message that is good except for the changes: code and text of each. */
function found(changes: Partial<Checked>): Record<string, string> {
  const checked = {
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
    blockingChecks.flatMap(({ code, find }) => {
      const words = find(checked);
      return words === undefined ? [] : [[code, words]];
    }),
  );
}

describe('the checks', () => {
  it('have codes of their own, and explain themselves in whole sentences', () => {
    expect(new Set(catalogue().map(({ code }) => code)).size).toBe(catalogue().length);
    for (const check of catalogue()) {
      const { code, title, explanation } = check;
      expect(code).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
      expect(title, code).toMatch(/^[A-Z][^.]*$/);
      expect(explanation, code).toMatch(/^["A-Z].*\.$/s);
      expect(describeRemedy(check), code).toMatch(/^[A-Z].*\.$/s);
    }
  });

  it('that ask for a decision say what happens if nothing is decided', () => {
    const decisions = catalogue().filter((check) => check.severity === 'decision');
    expect(decisions.length).toBeGreaterThan(40);
    // It follows "If you do nothing: ".
    for (const { code, otherwise } of decisions) expect(otherwise, code).toMatch(/^[a-z].*[^.]$/s);
  });

  it('find nothing in an ordinary message, with limits and without', () => {
    const limits = {
      retentionDays: 183,
      dataBytesMax: 10_240,
      messageCharsMax: 65_536,
      tagsMax: 25,
      tagLengthMax: 100,
    };
    expect(found({})).toEqual({});
    expect(found({ limits })).toEqual({});
  });

  it('explain every code that the samples bring up', () => {
    const codes = sampleCodes();
    expect(codes.length).toBeGreaterThan(10);
    // The last two are another system's: a file in Chatferry's own format may carry codes of the program that wrote it.
    expect(codes.filter((code) => findCheck(code) === undefined)).toEqual(['missing-file', 'no-time']);
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

  it('finds messages that are a millisecond older than the retention of the destination', () => {
    expect(found({ sentAtMs: nowMs - 183 * dayMs, limits })).toEqual({});
    expect(found({ sentAtMs: nowMs - 183 * dayMs - 1, limits })).toEqual({ 'too-old': '184 days old, 183 allowed' });
  });

  it('finds nothing if no retention is known', () => {
    expect(found({ sentAtMs: nowMs - 10_000 * dayMs })).toEqual({});
  });
});

describe('too-many-tags', () => {
  it('finds too many, and tag-too-long the long ones', () => {
    const limits = { tagsMax: 2, tagLengthMax: 3 };
    expect(found({ tags: ['a', 'abc'], limits })).toEqual({});
    expect(found({ tags: ['a', 'b', 'c'], limits })).toEqual({ 'too-many-tags': '3 tags, 2 allowed' });
    expect(found({ tags: ['a', 'abcd'], limits })).toEqual({ 'tag-too-long': 'a tag of 4 characters, 3 allowed' });
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

describe('message-too-large', () => {
  it('leaves room for people and ids', () => {
    const limits = { messageCharsMax: 10_000 };
    expect(found({ data: 'x'.repeat(7990), limits })).toEqual({});
    expect(found({ data: 'x'.repeat(8001), limits })).toEqual({
      'message-too-large': 'about 10,003 characters, 10,000 allowed',
    });
  });
});

describe('askMessage()', () => {
  const context = { nowMs, isKnown: () => true, isName: () => false };
  const said = (changes: Partial<MessageRecord>) =>
    askMessage({ ...message('lounge', '1', 'ada', 0), ...changes }, context).map(({ code }) => code);

  it('lists everything that it finds', () => {
    const attachments = [{ name: '', url: 'http://127.0.0.1/x', sizeBytes: 0 }];
    expect(said({ text: '<b>x</b> \u0000', edited: {}, attachments })).toEqual([
      ...['text-control-characters', 'text-html'],
      ...['attachment-not-https', 'attachment-private-address', 'attachment-empty', 'attachment-unnamed'],
      ...['attachment-type-unknown', 'edited-without-time'],
    ]);
  });

  it('finds a problem at the end of a text of any length', () => {
    expect(said({ text: `${'x'.repeat(4000)}\ud800` })).toEqual(['text-not-well-formed']);
  });

  it('never shows an address that holds a secret', () => {
    const attachments = [{ name: 'a', url: 'https://u:p4ss@files.example.com/a', mimeType: 'image/png' }];
    expect(askMessage({ ...message('lounge', '1', 'ada', 0), attachments }, context)).toEqual([
      { code: 'attachment-token', detail: 'the address is not shown here' },
    ]);
  });
});

describe('isPrivateAddress()', () => {
  it.each([
    ...['http://localhost/', 'https://printer.local/x', 'https://intranet/x', 'http://0x7f.1/', 'http://2130706433/'],
    ...['https://[::1]/', 'https://[fd00::1]/', 'https://[::ffff:10.0.0.1]/', 'http://169.254.169.254/latest'],
  ])('%s', (url) => expect(isPrivateAddress(url)).toBe(true));

  it.each(['https://example.com/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'mxc://localhost/a', 'nonsense'])(
    'not %s',
    (url) => expect(isPrivateAddress(url)).toBe(false),
  );
});
