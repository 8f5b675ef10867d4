import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth, forTerminal, oneLine, truncate } from '../../../src/lib/text/plain-text.ts';
import { linear, longText } from '../../long-text.ts';
import { everyNth } from '../../tier.ts';
import { anyCharacter } from '../../arbitrary-text.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 200 });
/** Texts that are mostly made of what terminals obey. */
const sequences = fc
  .array(
    fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '8;;',
      'http://x',
      '\u0007',
      '\u009b',
      '\u009d',
      '\u001b\\',
      '31m',
      'a',
      '\n',
      '\r',
      '\u202e',
    ),
  )
  .map((parts) => parts.join(''));
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('forTerminal()', () => {
  test('forTerminal() removes colours, links, titles and screen commands with their contents', () => {
    expect(forTerminal('\u001b[31mred\u001b[0m')).toBe('red');
    expect(forTerminal('\u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe('link');
    expect(forTerminal('\u001b]0;title\u001b\\a\u001bPq#0\u001b\\b\u009b2Jc')).toBe('abc');
    expect(forTerminal('\u001bcreset')).toBe('reset');
  });

  test('forTerminal() keeps what follows a sequence that never ends', () => {
    expect(forTerminal('\u001b]8;;http://x and more')).toBe('8;;http://x and more');
  });

  test('forTerminal() removes bidi controls and keeps line feeds, tabs and emoji of several code points', () => {
    expect(forTerminal('\u202ecod.exe\ta\r\nb')).toBe('cod.exe\ta\nb');
    expect(forTerminal('👩‍👩‍👧‍👦')).toBe('👩‍👩‍👧‍👦');
  });

  test('forTerminal() leaves no control character, whatever it is given', () => {
    fc.assert(fc.property(fc.oneof(anyText, sequences), (text) => !active.test(forTerminal(text))));
  });

  test.each(everyNth(3, ['\u001b]', '\u001b[', '\u001b[0', '\u001b ', '\u009d', '\u001bP\u0090']))(
    'forTerminal() reads a long text of %j in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      expect(forTerminal(longText(piece)).replaceAll('0', '')).toBe('');
    },
  );
});

test('oneLine() never gives a second line', () => {
  expect(oneLine(' a\r\nforged log line\u2028b\t\tc ')).toBe('a forged log line b c');
  fc.assert(fc.property(fc.oneof(anyText, sequences), (text) => !/[\n\t\u2028\u2029]/.test(oneLine(text))));
});

describe('truncate()', () => {
  test('truncate() keeps a text that fits and marks one that does not', () => {
    expect(truncate('general', 7)).toBe('general');
    expect(truncate('general', 6)).toBe('gener…');
  });

  test('truncate() counts wide characters twice and never cuts through a grapheme', () => {
    expect(truncate('山田太郎', 8)).toBe('山田太郎');
    expect(truncate('山田太郎', 7)).toBe('山田太…');
    expect(truncate('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(truncate('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3)).toBe('👩‍👩‍👧‍👦…');
  });

  test('truncate() is never wider than it may be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 40 }), (text, columns) => {
        return displayWidth(truncate(text, columns + 1)) <= columns + 1;
      }),
    );
  });
});
