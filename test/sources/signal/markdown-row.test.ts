import { describe, expect, it } from 'vitest';
import { markdownRow, readHead } from '../../../src/sources/signal/markdown-row.ts';
import { linear, manyPieces } from '../../long-text.ts';
import { everyNth } from '../../tier.ts';

describe('readHead()', () => {
  it.each([
    ['[2020-01-01 12:00:05] Ann: Hello', 'Ann', 'Hello', [2020, 1, 1, 12, 0, 5]],
    ['[2020-01-01, 12:00] Ann Kai: Hello: you', 'Ann Kai', 'Hello: you', [2020, 1, 1, 12, 0, 0]],
    ['\ufeff[2020-01-01 12:00] Ann:', 'Ann', '', [2020, 1, 1, 12, 0, 0]],
  ])('knows the beginning of a message: %s', (line, author, text, numbers) => {
    expect(readHead(line)).toMatchObject({ author, text, numbers });
  });

  it.each(['Hello', '[2020-01-01] Ann: Hello', '[1/1/20, 12:00] Ann: Hello', '[2020-01-01 12:00] nobody'])(
    'takes other lines for none: %s',
    (line) => expect(readHead(line)).toBeUndefined(),
  );

  it('takes time that grows with the line alone', () => {
    expect(readHead(`[2020-01-01 12:00] ${'a'.repeat(1_000_000)}`)).toBeUndefined();
  });
});

describe('markdownRow()', () => {
  const rowOf = (text: string) => markdownRow(text.split('\n'));

  it('accepts reactions by names with commas and colons', () => {
    expect(rowOf('Yes  \n(- Kai, Ann: 👍, Ben: B: 🌊 -)')).toMatchObject({
      text: 'Yes',
      reactions: [
        { name: 'Kai, Ann', emoji: '👍' },
        { name: 'Ben: B', emoji: '🌊' },
      ],
    });
  });

  it('takes files and stickers from the end, and leaves links of people', () => {
    expect(rowOf('See [it](https://example.com)  ![a (1).jpg](./media/a%20(1).jpg)  [b](./media/b)  ')).toMatchObject({
      text: 'See [it](https://example.com)',
      files: [
        { name: 'a (1).jpg', path: 'media/a%20(1).jpg' },
        { name: 'b', path: 'media/b' },
      ],
    });
    expect(rowOf('  [⚓](../exported_stickers/05/3.webp)  ')).toMatchObject({ text: '', sticker: '⚓' });
    expect(rowOf('  \n(( ⚓ ))')).toMatchObject({ text: '', sticker: '⚓' });
  });

  it('leaves what people wrote of the kind', () => {
    for (const text of ['(- nobody -)', 'so (( maybe ))', 'a (- b: c -)'])
      expect(rowOf(text)).toMatchObject({ text, reactions: [], sticker: undefined });
  });

  it.each(everyNth(2, ['a: b, ', 'a, ', '![a](./media/b) ', '](./media/b)', '(( ', '(- ']))(
    'takes time that grows with the text alone: %j',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const text = manyPieces(piece);
      for (const end of [' -)', ' ))', ')'])
        expect(markdownRow([`(- ${text}${end}`]).text.length).toBeLessThan(text.length + 10);
    },
  );

  it('knows a message that was deleted', () => {
    expect(rowOf('(This message was deleted)')).toMatchObject({ text: '', isDeleted: true });
  });
});
