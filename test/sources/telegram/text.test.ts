import { describe, expect, it } from 'vitest';
import { peerOf, repairJson } from '../../../src/sources/telegram/format.ts';
import { type Gathered, writeMarkdown, plainWords } from '../../../src/sources/telegram/text.ts';

const read = (text: unknown, entities?: unknown) => {
  const gathered: Gathered = { mentions: [], lost: {} };
  return { markdown: writeMarkdown(text, entities, gathered), ...gathered };
};
const piece = (type: string, text: string, more: object = {}) => ({ type, text, ...more });

describe('writeMarkdown()', () => {
  it('leaves a text as it is, and says where Markdown would take it for markup', () => {
    expect(read('Low water at 16:20')).toEqual({ markdown: 'Low water at 16:20', mentions: [], lost: {} });
    expect(read('# no heading').lost).toEqual({ accidentalMarkup: 1 });
  });

  it('takes pieces of either field, and the newer field first', () => {
    expect(read(['a ', piece('bold', 'b')]).markdown).toBe('a **b**');
    expect(read(['a'], [piece('plain', 'a '), piece('italic', 'b')]).markdown).toBe('a _b_');
  });

  it('sets quotations and code on lines of their own', () => {
    const pieces = [
      'Hi\n',
      piece('blockquote', 'one\ntwo'),
      'and ',
      piece('pre', 'x', { language: 'ts' }),
      piece('blockquote', 'q'),
    ];
    expect(read(pieces).markdown).toBe('Hi\n> one\n> two\n\nand \n```ts\nx\n```\n\n> q');
  });

  it('counts what Markdown has no mark for, and mentions by id', () => {
    const pieces = [
      piece('underline', 'u'),
      piece('spoiler', 's'),
      piece('custom_emoji', '⚓'),
      piece('mention_name', 'Vera', { user_id: 3 }),
    ];
    expect(read(pieces)).toEqual({
      markdown: 'us⚓@Vera',
      mentions: ['user3'],
      lost: { underlines: 1, styles: 1, emojiInText: 1 },
    });
  });

  it('returns nothing for a value that is no text', () => {
    expect(read({ error: 1 }).markdown).toBeUndefined();
    expect(plainWords(['a ', piece('bold', 'b'), 7])).toBe('a b');
  });
});

describe('peerOf()', () => {
  it.each([
    [1, 'user1'],
    ['1', 'user1'],
    ['user1', 'user1'],
    [2 ** 32 + 7, 'chat7'],
    [10036995664, 'channel1447061072'],
    [-1, undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %j', (id, peer) => {
    expect(peerOf(id)).toBe(peer);
  });
});

describe('repairJson()', () => {
  it('writes control characters as JSON does, and leaves an escaped backslash', () => {
    expect(JSON.parse(repairJson(String.raw`["1=4\x012=9\x0b", "C:\\x07", "\n\u0041"]`))).toEqual([
      '1=4\u00012=9\u000b',
      'C:\\x07',
      '\nA',
    ]);
  });

  it('puts quotes around the path of an emoji, and leaves numbers', () => {
    const text = '{\n "document_id": video_files/sticker (2).webm\n}';
    expect(JSON.parse(repairJson(text))).toEqual({ document_id: 'video_files/sticker (2).webm' });
    expect(JSON.parse(repairJson('{\n "document_id": a "b".webm,\n "x": "\\x01"\n}'))).toEqual({
      document_id: 'a "b".webm',
      x: '\u0001',
    });
    expect(JSON.parse(repairJson('{\n "document_id": 12,\n "x": "\\x01"\n}'))).toEqual({
      document_id: 12,
      x: '\u0001',
    });
  });
});
