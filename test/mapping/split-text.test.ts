import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../src/mapping/message/too-long.ts';
import { anyText } from '../arbitrary-text.ts';

const upTo = (unitsMax: number) => ({ unitsMax, fits: () => true });

describe('splitText()', () => {
  it('cuts at a line end near the end of a piece, else at a space, else anywhere', () => {
    expect(splitText('first line\nsecond line', upTo(12))).toEqual(['first line', 'second line']);
    expect(splitText('one two three', upTo(8))).toEqual(['one two', 'three']);
    expect(splitText('abcdefghij', upTo(4))).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('never cuts a character in two, and gives up where not even one fits', () => {
    expect(splitText('😀😀😀', upTo(3))).toEqual(['😀', '😀', '😀']);
    expect(splitText('😀', upTo(1))).toBeUndefined();
  });

  it('loses nothing but the white space of each cut', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 50 }), (text, unitsMax) => {
        const pieces = splitText(text, upTo(unitsMax))!;
        let at = 0;
        for (const piece of pieces) {
          if (!text.startsWith(piece, at)) at += 1;
          expect(text.startsWith(piece, at)).toBe(true);
          at += piece.length;
        }
        expect(pieces.every((piece) => piece.length <= unitsMax)).toBe(true);
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });
});
