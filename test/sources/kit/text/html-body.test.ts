import { describe, expect, it } from 'vitest';
import { distinctFiles, escapedBody, htmlBody } from '../../../../src/sources/kit/text/html-body.ts';

describe('htmlBody()', () => {
  it('makes pictures into files, and leaves the words of those without an address of the web', () => {
    const html = '<p>Look: <img src="https://x.example/a.png?t=1"> <img src="cid:7" alt="logo"></p>';
    expect(htmlBody(html, () => {})).toEqual({
      text: 'Look: logo',
      files: [{ name: 'a.png', url: 'https://x.example/a.png?t=1', kind: 'image' }],
    });
  });

  it('takes a body without a tag for plain text', () => {
    expect(htmlBody(' Fish &amp; ships\n5 < 7 ', () => {})).toEqual({ text: 'Fish &amp; ships\n5 < 7', files: [] });
  });
});

describe('distinctFiles()', () => {
  it('keeps the first of those with one address, and all without', () => {
    const files = [{ name: 'a', url: 'u' }, { name: 'b' }, { name: 'c' }, { name: 'd', url: 'u' }];
    expect(distinctFiles(files).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
});

it('escapedBody() makes HTML of a body that has characters of HTML and no tag', () => {
  const textOf = (html: string) => htmlBody(escapedBody(html), () => {}).text;
  expect(textOf('Fish &amp; ships\nat 5')).toBe('Fish & ships\nat 5');
  expect(textOf('Fish\nand ships')).toBe('Fish\nand ships');
  expect(textOf('<b>Fish</b> &amp; ships')).toBe('**Fish** & ships');
});
