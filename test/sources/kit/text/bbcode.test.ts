import { describe, expect, it } from 'vitest';
import { bbcodeToMarkdown, hasBbcode } from '../../../../src/sources/kit/text/bbcode.ts';

describe('bbcodeToMarkdown()', () => {
  it.each([
    ['[b]Tide[/b] at [url=https://x.example]x[/url]', '**Tide** at [x](https://x.example)'],
    ['[url]https://x.example/a?b=1&c[/url]', 'https://x.example/a?b=1&c'],
    ['[quote="Ann, post: 7, member: 3"]Hi[/quote][user=2]@Bo[/user]', '> **Ann:**\n> Hi\n\n@Bo'],
    ['[quote=Ann]Hi\nthere[/quote]Yes', '> **Ann:**\n> Hi\n> there\n\nYes'],
    ['[list][*]one[*]two[/list]', '- one\n- two'],
    ['[code]if (a[i] < b) [b]x[/b][/code]', '```\nif (a[i] < b) [b]x[/b]\n```'],
    ['[s]no[/s] [u]yes[/u]\nnext', '~~no~~ yes\nnext'],
    ['[img]https://x.example/a.png[/img]', 'https://x.example/a.png'],
  ])('makes Markdown of %j', (text, markdown) => {
    expect(bbcodeToMarkdown(text)).toBe(markdown);
  });

  it.each(['[spoiler]x[/spoiler]', '[b]never closed', 'a[i] = b[0]', 'closed [/b]', '<b>no HTML</b> & so on'])(
    'leaves %j as it is',
    (text) => {
      expect(bbcodeToMarkdown(text)).toBe(text);
      expect(hasBbcode(text)).toBe(false);
    },
  );

  it('takes a text of nothing but tags in its stride', () => {
    const text = '[b]'.repeat(50_000) + '[/b]'.repeat(50_000);
    expect(bbcodeToMarkdown(text).length).toBeLessThan(text.length * 2);
  });
});
