import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markedText, spreadsheetText, withoutMark } from '../../../src/lib/text/spreadsheet-text.ts';
import { anyText } from '../../arbitrary-text.ts';

const texts = fc
  .tuple(fc.constantFrom('', "'", "''", '=', "'=", "'+49"), anyText)
  .map(([beginning, rest]) => beginning + rest);

describe('markedText()', () => {
  test('markedText() gives text that no spreadsheet runs, and that withoutMark() reads exactly', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(spreadsheetText(markedText(text))).toBe(markedText(text));
        expect(withoutMark(markedText(text))).toBe(text);
      }),
    );
  });

  test.each([
    ['+49 170 1', "'+49 170 1"],
    ["'=1", "''=1"],
    ["'tis", "'tis"],
    ['ann', 'ann'],
  ])('markedText() makes %j %j', (text, marked) => {
    expect(markedText(text)).toBe(marked);
  });
});
