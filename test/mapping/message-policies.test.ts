import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapMessage } from '../../src/mapping/message.ts';
import { metadataSchema } from '../../src/mapping/message/metadata.ts';
import { muidOf } from '../../src/mapping/ids.ts';
import { anyText } from '../arbitrary-text.ts';
import { chatferryOf, contextOf, ordinary, payloadOf, recordOf, rulesOf, sentAtMs } from './fixture.ts';

const dayMs = 86_400_000;
const mapped = (
  messages: object,
  changes: Parameters<typeof recordOf>[0] = {},
  more: Parameters<typeof contextOf>[0] = {},
) => mapMessage(recordOf(changes), contextOf({ rules: rulesOf({ messages }), ...more }));
const textOf = (...given: Parameters<typeof mapped>) => payloadOf(mapped(...given)).data.text;

/** The payloads of all parts. */
function partsOf(...given: Parameters<typeof mapped>) {
  const result = mapped(...given);
  if (result.verdict !== 'planned') throw new Error(`${result.verdict}: ${result.reason}`);
  return [result.payload, ...(result.more ?? [])].map((payload) => payloadOf({ ...result, payload }));
}

describe('messages.edited', () => {
  const edited = { edited: { atMs: sentAtMs + 5000 } };

  it('marks, does not mark, or skips', () => {
    expect(chatferryOf(mapped({}, edited))).toHaveProperty('edited');
    expect(chatferryOf(mapped({ edited: 'keep' }, edited))).not.toHaveProperty('edited');
    expect(mapped({ edited: 'skip' }, edited)).toMatchObject({ verdict: 'skipped', reason: 'edited message' });
    expect(mapped({ edited: 'skip' }).verdict).toBe('planned');
  });
});

describe('messages.olderThan', () => {
  const now = { nowMs: sentAtMs + 10 * dayMs };

  it.each([
    ['9d', 'skipped'],
    ['10d', 'planned'],
    ['1w', 'skipped'],
    ['1y', 'planned'],
    ['2026-03-01', 'planned'],
    ['2026-03-02', 'skipped'],
    ['none', 'planned'],
  ])('%s leaves a message of ten days ago %s', (olderThan, verdict) => {
    expect(mapped({ olderThan }, {}, now).verdict).toBe(verdict);
  });

  it('rejects messages if the mapping says so', () => {
    expect(mapped({ olderThan: '1d', old: 'reject' }, {}, now)).toMatchObject({
      verdict: 'invalid',
      reason: 'older-than',
    });
  });
});

describe('people who write', () => {
  const by = (people: object, traits: Partial<typeof ordinary>) =>
    mapMessage(recordOf(), contextOf({ rules: rulesOf({ people }), traitsOf: () => ({ ...ordinary, ...traits }) }));

  it.each([
    [{ guests: 'skip' }, { isGuest: true }, 'skipped', 'guest message'],
    [{ deleted: 'skip' }, { isDeleted: true }, 'skipped', 'message of a deleted person'],
    [{ unknownAuthors: 'skip' }, { isKnown: false }, 'skipped', 'unknown author'],
    [{ lookup: { file: 'a', id: 'b', uid: 'c', missing: 'reject' } }, { isListed: false }, 'invalid', 'not-in-lookup'],
  ] as const)('%j decides about %j', (people, traits, verdict, reason) => {
    expect(by(people, traits)).toMatchObject({ verdict, reason });
    expect(by(people, {}).verdict).toBe('planned');
    expect(by({}, traits).verdict).toBe('planned');
  });
});

describe('messages.attachments', () => {
  const files = {
    text: 'see',
    attachments: [
      { name: 'a.png', url: 'https://old.example/a.png' },
      { name: 'gone.pdf', unavailable: 'deleted' },
    ],
  };

  const only = { text: ' ', attachments: [files.attachments[1]!] };

  it('makes a line of each file without an address', () => {
    expect(textOf({ attachments: 'placeholder' }, files)).toBe('see\n📎 gone.pdf');
    expect(textOf({ attachments: 'placeholder' }, only)).toBe('📎 gone.pdf');
    expect(textOf({}, files)).toBe('see');
  });

  it('names the files of a message that is nothing else, and counts it', () => {
    const local = { text: '', attachments: [files.attachments[1]!, { name: 'a.jpg', url: 'photos/a.jpg' }] };
    expect(textOf({}, local)).toBe('📎 gone.pdf\n📎 a.jpg');
    for (const attachments of ['keep', 'placeholder'])
      expect(mapped({ attachments }, local)).toMatchObject({ done: { onlyFiles: 1 } });
    expect(mapped({}, { text: '', attachments: files.attachments })).toMatchObject({
      verdict: 'planned',
      done: undefined,
    });
    const reply = { ...only, threadRoot: '1' };
    const quoted = mapped({ threads: 'quote' }, reply, { rootLine: () => 'Lunch?' });
    expect(payloadOf(quoted).data.text).toBe('> Lunch?\n\n📎 gone.pdf');
    expect(quoted).toMatchObject({ done: { rootQuotes: 1, onlyFiles: 1 } });
  });

  it.each([{ onlyFiles: 'blank' }, { attachments: 'drop' }])('takes it for blank with %j', (messages) => {
    expect(mapped(messages, only)).toMatchObject({ verdict: 'invalid', reason: 'blank-text' });
    expect(mapped({ ...messages, empty: 'skip' }, only)).toMatchObject({ verdict: 'skipped', reason: 'empty message' });
  });

  it.each(['reject', 'skip'])('does not take content that is not read for blank, with empty: %s', (empty) => {
    expect(mapped({ empty }, { text: '', unread: ['card'] })).toMatchObject({
      verdict: 'invalid',
      reason: 'content-not-read',
      detail: 'no text, but content in "card"',
    });
  });

  it('attaches none, and names them all', () => {
    const { type, data } = payloadOf(mapped({ attachments: 'drop' }, files));
    expect(type).toBe('text');
    expect(data).not.toHaveProperty('attachments');
    expect(data.metadata.chatferry.files).toEqual([
      { name: 'a.png', why: 'left out by the mapping' },
      { name: 'gone.pdf', why: 'deleted' },
    ]);
  });

  it('replaces the longest beginning of an address that fits, and makes addresses of paths', () => {
    const attachmentUrls = {
      'https://old.example/': 'https://new.example/o/',
      'https://old.example/a': 'https://a.example/',
      '/files/': 'https://cdn.example/',
    };
    const urls = (url: string) =>
      payloadOf(mapped({ attachmentUrls }, { attachments: [{ name: 'x', url }] })).data.attachments;
    expect(urls('https://old.example/b.png')).toMatchObject([{ url: 'https://new.example/o/b.png' }]);
    expect(urls('https://old.example/a.png')).toMatchObject([{ url: 'https://a.example/.png' }]);
    expect(urls('/files/c.png')).toMatchObject([{ url: 'https://cdn.example/c.png' }]);
    expect(urls('https://other.example/')).toMatchObject([{ url: 'https://other.example/' }]);
  });
});

describe('messages.metadata, messages.mentions and messages.markup', () => {
  it('are added to ours, omitted, and made plain, respectively', () => {
    const payload = payloadOf(
      mapped(
        { metadata: { from: 'slack', run: [1] }, mentions: 'drop', markup: 'plain' },
        { text: '**Hi** @Ann', mentions: ['U2'] },
      ),
    );
    expect(payload.data.text).toBe('Hi @Ann');
    expect(payload.data.metadata).toEqual({
      chatferry: { v: 1, key: muidOf(recordOf().origin) },
      from: 'slack',
      run: [1],
    });
  });

  it.each(['chatferry', '@private', '@injected'])('refuse the reserved key %s', (key) => {
    expect(() => rulesOf({ messages: { metadata: { [key]: 1 } } })).toThrow('reserved');
  });
});

describe('messages.threads: quote', () => {
  const reply = { text: 'Yes', threadRoot: '1' };
  const quoted = (line: string | undefined) => mapped({ threads: 'quote' }, reply, { rootLine: () => line });

  it('begins a reply with the first line of its root, and records in the facts if there is none', () => {
    expect(payloadOf(quoted('Lunch?')).data.text).toBe('> Lunch?\n\nYes');
    expect(chatferryOf(quoted('Lunch?'))).toHaveProperty('thread');
    expect(quoted('Lunch?')).toMatchObject({ done: { rootQuotes: 1 } });
    expect(quoted(undefined)).toMatchObject({ done: { rootsMissing: 1 } });
    expect(payloadOf(quoted(undefined)).data.text).toBe('Yes');
  });
});

describe('messages.overlong', () => {
  const long = 'word '.repeat(100).trim();

  it('rejects a text longer than textCharsMax, and reports both lengths', () => {
    expect(mapped({ textCharsMax: 499 }, { text: long }).verdict).toBe('planned');
    expect(mapped({ textCharsMax: 498 }, { text: long })).toMatchObject({
      verdict: 'invalid',
      reason: 'text-too-long',
      detail: '499 characters, 498 allowed',
    });
  });

  it('truncates, and keeps the whole length in metadata', () => {
    const result = mapped({ textCharsMax: 100, overlong: 'truncate' }, { text: long });
    const { text, metadata } = payloadOf(result).data;
    expect(text).toBe(`${long.slice(0, 99)}…`);
    expect(metadata.chatferry.truncated).toBe(499);
    expect(result).toMatchObject({ done: { truncated: 1 } });
  });

  it('splits at white space, the first part with everything else of the message', () => {
    const parts = partsOf(
      { textCharsMax: 100, overlong: 'split', tags: ['t'] },
      {
        text: long,
        threadRoot: '1',
        isPinned: true,
        attachments: [{ name: 'a.png', url: 'https://example.com/a.png', mimeType: 'image/png' }],
      },
    );
    expect(parts.map(({ data }) => data.text).join(' ')).toBe(long);
    const head = muidOf(recordOf().origin);
    const thread = parts[0]!.data.metadata.chatferry.thread;
    expect(parts[0]).toMatchObject({
      type: 'image',
      tags: ['t'],
      data: { metadata: { chatferry: { key: head, parts: 5, pinned: true } } },
    });
    expect(parts[1]).toMatchObject({ type: 'text', tags: ['t'] });
    expect(parts[1]!.data).not.toHaveProperty('attachments');
    expect(parts[1]!.data.metadata.chatferry).toEqual({ v: 1, key: `${head}p2`, thread, part: 2, head });
  });

  it('rejects a message that is too large even without text', () => {
    const attachments = Array.from({ length: 50 }, (_, index) => ({
      name: `${index}`,
      url: `https://example.com/${index}`,
    }));
    const limits = { dataBytesMax: 1000 };
    expect(mapped({ overlong: 'split' }, { text: long, attachments }, { limits })).toMatchObject({
      reason: 'data-too-large',
    });
  });

  it('stays within the limits and loses nothing but white space, whatever the text', () => {
    const limits = fc.integer({ min: 400, max: 3000 });
    fc.assert(
      fc.property(
        fc.array(anyText, { minLength: 1, maxLength: 12 }),
        limits,
        fc.integer({ min: 100, max: 400 }),
        (texts, dataBytesMax, textCharsMax) => {
          const text = `${texts.join(' ')}.`;
          const parts = partsOf(
            { overlong: 'split', textCharsMax },
            { text, mentions: ['U2'] },
            { limits: { dataBytesMax } },
          );
          for (const { data } of parts) {
            expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(dataBytesMax);
            expect(data.text.length).toBeLessThanOrEqual(textCharsMax);
            metadataSchema.parse(data.metadata.chatferry);
          }
          const letters = (words: string) => words.replaceAll(/\s/g, '');
          expect(letters(parts.map(({ data }) => data.text).join(''))).toBe(letters(text));
        },
      ),
    );
  });

  it('cuts a text of megabytes in a moment', () => {
    const parts = partsOf(
      { overlong: 'split' },
      { text: '日本語 '.repeat(500_000) },
      { limits: { dataBytesMax: 10_240 } },
    );
    expect(parts.length).toBeGreaterThan(400);
  });
});
