import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectStoredForm } from '../../src/io/stored-form.ts';

const wide = (text: string) => Buffer.from(text, 'utf16le');

describe('detectStoredForm()', () => {
  it.each([
    ['gzip', gzipSync('{"a":1}'), 'gzip'],
    ['UTF-16 with a mark', wide('\ufeff{"a":1}'), 'utf-16le'],
    ['UTF-16 of the other order with a mark', wide('\ufeff{"a":1}').swap16(), 'utf-16be'],
    ['UTF-16 without a mark', wide('[\r\n\t{"a":1}'), 'utf-16le'],
    ['UTF-16 of the other order without a mark', wide('{"a":1}').swap16(), 'utf-16be'],
    ['the shortest list in UTF-16', wide('[]'), 'utf-16le'],
    ['UTF-16 that begins with a sign of direction', wide('\u200e[14.03.24, 10:02:11] Инес: да'), 'utf-16le'],
    ['UTF-16 with a half of its last character', wide('{"a":1}').subarray(0, -1), 'utf-16le'],
    ['UTF-8', Buffer.from('{"a":"ä"}'), 'plain'],
    ['UTF-8 with a mark', Buffer.from('\ufeff{"a":1}'), 'plain'],
    ['nothing', Buffer.alloc(0), 'plain'],
    ['one character', wide('a'), 'plain'],
    ['zeros', Buffer.alloc(64), 'plain'],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'plain'],
    ['a film', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'), 'plain'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'plain'],
    ['small numbers of two bytes', Buffer.from(Uint16Array.from({ length: 32 }, (_, at) => at + 1).buffer), 'plain'],
    ['a database', Buffer.from('SQLite format 3\0\x10\0\x01\x01\0@  ', 'latin1'), 'plain'],
  ])('tells %s', (_, bytes, form) => {
    expect(detectStoredForm(bytes)).toBe(form);
  });
});
