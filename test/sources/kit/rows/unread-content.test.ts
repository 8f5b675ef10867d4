import { describe, expect, it } from 'vitest';
import { findUnread } from '../../../../src/sources/kit/rows/unread-content.ts';

describe('findUnread()', () => {
  it.each([
    ['blanks in front of a word', `${' '.repeat(1_000_000)}x y`],
    ['tags in front of a word', `${'<p>'.repeat(300_000)}x`],
    ['lists in lists', '['.repeat(200_000) + ']'.repeat(200_000)],
  ])('takes no time for %s, and loses none', (_what, note) => {
    expect(findUnread({ label: note })).toHaveLength(1);
  });

  it.each(['', '   ', '<p>&nbsp;</p>', 'text', ' <div> rich_text_section', 'markdown'])(
    'finds nothing said in %j',
    (label) => {
      expect(findUnread({ label })).toEqual([]);
    },
  );
});
