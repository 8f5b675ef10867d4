import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StyledPiece, styledText } from '../../../../src/sources/kit/text/styled-text.ts';
import { lettersOf, showMarkdown } from '../../../scenes/read-markdown.ts';
import { isNightly } from '../../../tier.ts';

const write = (...pieces: readonly (readonly [text: string, style?: string])[]) =>
  styledText(pieces.map(([text, style = '']) => pieceOf(text, style)));

/** `b`old, `i`talic, `s`truck, `c`ode. */
const pieceOf = (text: string, style: string): StyledPiece => ({
  text,
  style: {
    bold: style.includes('b'),
    italic: style.includes('i'),
    strike: style.includes('s'),
    code: style.includes('c'),
  },
});

describe('styledText()', () => {
  it.each<[string, readonly (readonly [text: string, style?: string])[], string]>([
    ['neighbours of one style share their marks', [['a '], ['b ', 'b'], ['c', 'b']], 'a **b c**'],
    ['a run has one outer mark', [['chkDots()', 'bc'], ["'s", 'b'], [' ok']], "**`chkDots()`'s** ok"],
    [
      'the longest run is outside',
      [
        ['a', 'bi'],
        ['b', 'i'],
        ['c', 'is'],
      ],
      '_**a**b~~c~~_',
    ],
    ['styles together', [['x', 'bis']], '**_~~x~~_**'],
    ['each line has its own', [['a \n b', 'b']], '**a** \n **b**'],
    [
      'code beside code is one',
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
      '`ab`',
    ],
    ['backticks in code', [['a`b``c', 'c']], '``` a`b``c ```'],
    ['what people typed in a style', [['2*3 * 4_5 _x', 'b']], '**2\\*3 \\* 4_5 _x**'],
    ['nothing else', [['2*3 _x_ `y` '], ['z', 'b']], '2*3 _x_ `y` **z**'],
    ['backticks of people beside code', [['a ` '], ['b', 'c']], 'a \\` `b`'],
  ])('%s', (_, pieces, markdown) => expect(write(...pieces)).toEqual({ markdown, stylesLost: 0 }));

  it.each<[string, readonly (readonly [text: string, style?: string])[], string]>([
    ['inside a word', [['un'], ['believ', 'i'], ['able']], 'unbelievable'],
    ['before a word, after punctuation', [['"a"', 'b'], ['b']], '"a"b'],
    ['beside the same mark', [['*'], ['a', 'b']], '*a'],
    ['behind a backslash', [['C:\\'], ['a', 'b']], 'C:\\a'],
  ])('leaves a style out %s, and counts it', (_, pieces, markdown) =>
    expect(write(...pieces)).toEqual({ markdown, stylesLost: 1 }),
  );

  it('a number and a dot that lost its style begin no list where what people typed is escaped', () => {
    const pieces = [pieceOf('7', ''), pieceOf('.', 'b'), pieceOf(' x', '')];
    expect(styledText(pieces, true).markdown).toBe('7\\. x');
  });

  it('never shows a mark of its own, whatever is styled', () => {
    const words = fc.array(fc.constantFrom('a', 'B', '7', ' ', '.', '"', '(', 'é', '東', '🎉', '\n', "'s", '-x'), {
      minLength: 1,
      maxLength: 4,
    });
    const style = fc.constantFrom('', 'b', 'i', 's', 'c', 'bi', 'bs', 'is', 'bis', 'bc', 'ic');
    fc.assert(
      fc.property(fc.array(fc.tuple(words, style), { maxLength: 6 }), (parts) => {
        const pieces = parts.map(([text, own]) => pieceOf(text.join(''), own));
        const { text } = showMarkdown(`x ${styledText(pieces).markdown}`);
        expect(lettersOf(text)).toBe(lettersOf(`x${pieces.map(({ text }) => text).join('')}`));
      }),
      { numRuns: isNightly ? 3000 : 600 },
    );
  });
});
