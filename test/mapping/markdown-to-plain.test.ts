import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownToPlain } from '../../src/mapping/message/markdown-to-plain.ts';
import { linear, manyPieces } from '../long-text.ts';
import { everyNth } from '../tier.ts';

describe('markdownToPlain()', () => {
  it.each([
    ['**bold** and _italic_, *too*, ~~struck~~', 'bold and italic, too, struck'],
    ['**_both_** and **a_b**', 'both and a_b'],
    [
      '[our page](https://example.com/a_b) and <https://example.com>',
      'our page (https://example.com/a_b) and <https://example.com>',
    ],
    [
      '[https://a.example](https://a.example) ![](https://b.example/x.png)',
      'https://a.example https://b.example/x.png',
    ],
    ['`code *stays*` and ``more``', 'code *stays* and more'],
    ['```js\nlet *a* = 1;\n```\nafter *it*', 'let *a* = 1;\nafter it'],
    ['```on one line```', 'on one line'],
    ['# Title\n> quoted\n- item **one**', 'Title\n> quoted\n- item one'],
    ['2*3*4 snake_case_name 5 * 6 * 7', '2*3*4 snake_case_name 5 * 6 * 7'],
    ['\\*not bold\\*', '*not bold*'],
    ['plain text: nothing to do!', 'plain text: nothing to do!'],
  ])('makes of %j %j', (markdown, plain) => {
    expect(markdownToPlain(markdown)).toBe(plain);
  });

  const hostile = [
    ...['**a ', '`', '` ``', '_', '_a', '\\', '* *a', '**_'],
    ...['![a label that never ends, ', '[a](https://example.com/never/ends'],
  ];

  it.each(everyNth(2, hostile))('reads a long text of %j in linear time', linear, (piece) => {
    // Quadratic time would not end within the test's timeout.
    const text = manyPieces(piece);
    expect(markdownToPlain(text).length).toBeLessThanOrEqual(text.length);
  });

  it('leaves text without marks as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9 .,?\n>-]*$/), (text) => {
        expect(markdownToPlain(text)).toBe(text);
      }),
    );
  });
});
