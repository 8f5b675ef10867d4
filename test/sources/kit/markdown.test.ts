import { describe, expect, it } from 'vitest';
import { fenced, markdownLink, quoted, styled, table, withStyle } from '../../../src/sources/kit/markdown.ts';

describe('styled()', () => {
  it('lets neighbours of one style share their marks, and nests styles', () => {
    const bold = { bold: true, italic: false };
    expect(styled([{ text: 'a ' }, { text: 'b ', style: bold }, { text: 'c', style: { bold: true } }])).toBe(
      'a **b c**',
    );
    expect(styled([{ text: 'x', style: { bold: true, italic: true, strike: true } }])).toBe('**_~~x~~_**');
  });

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
  ])('%j with %j is %j', (url, label, markdown) => expect(markdownLink(url, label)).toBe(markdown));
});
