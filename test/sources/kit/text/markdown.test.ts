import { describe, expect, it } from 'vitest';
import { fenced, markdownLink, quoted, table, withStyle } from '../../../../src/sources/kit/text/markdown.ts';

describe('withStyle()', () => {
  it('keeps marks at the text, on each line of their own', () => {
    expect(withStyle(' a \n b', { bold: true })).toBe(' **a** \n **b**');
    expect(withStyle(' ', { bold: true })).toBe(' ');
    expect(withStyle('a`b', { code: true })).toBe('`` a`b ``');
  });
});

it('fenced() takes a fence that is not inside', () => {
  expect(fenced('a\n```\n', 'ts')).toBe('````ts\na\n```\n````');
});

it('quoted() marks every line', () => {
  expect(quoted('a\n\nb\n')).toBe('> a\n> \n> b');
});

it('table() escapes what would end a cell', () => {
  expect(
    table([
      ['a|b', 'c\nd'],
      ['1', '2'],
    ]),
  ).toBe('| a\\|b | c d |\n| --- | --- |\n| 1 | 2 |');
  expect(table([])).toBe('');
});

describe('markdownLink()', () => {
  it.each([
    ['https://x.example', undefined, 'https://x.example'],
    ['mailto:a@x.example', 'a@x.example', 'a@x.example'],
    ['https://x.example/(a b)', 'l[1]\n2', '[l\\[1\\] 2](https://x.example/%28a%20b%29)'],
    ['javascript:alert(1)', 'x', 'x (javascript:alert(1))'],
    ['https://x.example/R ', ' x.R', ' [x.R](https://x.example/R)'],
    ['https://x.example/R%20%20', 'x.R\n', '[x.R](https://x.example/R)\n'],
    ['https://x.example', ' ', 'https://x.example'],
    ['https://x.example', 'C:\\', '[C:\\\\](https://x.example)'],
  ])('%j with %j is %j', (url, label, markdown) => expect(markdownLink(url, label)).toBe(markdown));
});
