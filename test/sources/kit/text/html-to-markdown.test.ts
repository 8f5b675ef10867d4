import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../../../src/sources/kit/text/html-to-markdown.ts';
import { longText, manyPieces } from '../../../long-text.ts';
import { everyNth } from '../../../tier.ts';

describe('htmlToMarkdown()', () => {
  it.each([
    ['<b>a</b> <i>b</i> <code>c</code> <s>d</s>', '**a** *b* `c` ~~d~~'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<p>one</p>\n<p>two\n  lines</p>', 'one\n\ntwo lines'],
    ['<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>end', '- a\n- b\n  - c\n\nend'],
    ['<a href="https://x.example/?a=1&amp;b=2">x</a>', '[x](https://x.example/?a=1&b=2)'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="https://x.example">open', '[open](https://x.example)'],
    ['before<blockquote><p>a</p><p>b</p></blockquote>after', 'before\n\n> a\n> \n> b\n\nafter'.replace('> \n', '>\n')],
    ['<pre>a\n  b &lt;c&gt;</pre>x', '```\na\n  b <c>\n```\n\nx'],
    ['<script>alert("</b>")</script>a<style>p{}</style>b<!-- c -->d', 'abd'],
    ['<img alt="a cat" src=x onerror=alert(1)>', 'a cat'],
    ['&amp;lt; &#8364; &#x1F600; &uuml; &nosuch; &#xD800; a & b', '&lt; € 😀 ü &nosuch; \ufffd a & b'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['<b title="a>b">x</b>', '**x**'],
    ['</constructor><__proto__>x', '<__proto__>x'],
    ['', ''],
    ['caf&eacute &rarr; &frac12;', 'café → ½'],
    ['a <b and no more', 'a <b and no more'],
    ['<b>a<i>b</b>c</i>d', '**a*b***cd'],
    ['<b></b>a<i> </i>b', 'a b'],
    ['<b> a </b>b', '**a** b'],
    ['<b>a<br>b</b>', '**a**\n**b**'],
    ['<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
    ['<b><strong>a</strong></b>', '**a**'],
    ['<a href="https://x.example"></a>', 'https://x.example'],
    [
      'See <a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>, now',
      'See https://x.example/?a=1&b=2, now',
    ],
    ['<a href="mailto:ann@x.example">ann@x.example</a><br>next', 'ann@x.example\nnext'],
    ['<a href="https://x.example">https://x.example</a>behind', '[https://x.example](https://x.example)behind'],
    ['before<a href="https://x.example">https://x.example</a>', 'before[https://x.example](https://x.example)'],
    ['<b><a href="https://x.example">https://x.example</a></b>', '**[https://x.example](https://x.example)**'],
    ['<a href="https://x.example">https://x.example and more</a>', '[https://x.example and more](https://x.example)'],
    ['<a href="https://x.example/1"><b>https://x.example/1</b></a>', '[**https://x.example/1**](https://x.example/1)'],
    [
      '<a href="https://x.example/1">a<a href="https://x.example/2">b',
      '[a](https://x.example/1)[b](https://x.example/2)',
    ],
    ['<a href=https://x.example/1 href=https://x.example/2>a</a>', '[a](https://x.example/1)'],
    ['a</b></p>b', 'a\n\nb'],
    ['<ul><li>a</ul>b', '- a\n\nb'],
    ['<pre><b>a</b><br>b', '```\na\nb\n```'],
    ['<!DOCTYPE html><?php x ?><title>a</title>', 'a'],
  ])('turns %j into %j', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it('ends with any text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      ';',
      '<b>',
      '</b>',
      '<!--',
      '-->',
      '<a href=',
      '<pre>',
      '</pre>',
      '<li>',
      '</blockquote>',
      'x',
      ' ',
      '\n',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => typeof htmlToMarkdown(pieces.join('')) === 'string'));
  });

  const tags = ['<a "', ' ', '<!--', '<script>', '</', '<a x="" '];
  const elements = [
    '<li>',
    '<blockquote>',
    '&#1',
    '<pre> ',
    '<p>x',
    '<b>',
    '<b>x</i>',
    '</b>',
    '<a href=https://x.example>',
    '&amp',
  ];

  it.each([
    ...everyNth(2, tags).map((piece) => ({ piece, html: longText(piece) })),
    ...everyNth(2, elements).map((piece) => ({ piece, html: manyPieces(piece) })),
  ])('reads a long text of $piece in linear time', ({ html }) => {
    // Quadratic time would not end within the test's timeout.
    expect(htmlToMarkdown(html).length).toBeLessThanOrEqual(html.length);
  });

  it.each(['<ul><li>x', '<blockquote>x<br>', '<i><b>x<br>'])(
    'marks each line of nested %s a few times only',
    (piece) => {
      // One mark for each level would make 30 times the text of 300 levels.
      const html = piece.repeat(300);
      expect(htmlToMarkdown(html).length).toBeLessThan(6 * html.length);
    },
  );

  it("writes what a platform's own elements mean, but not in code", () => {
    const html = '<p><at id="1">Ann</at> <emoji alt="🌊"></emoji><b>x</b></p><pre><emoji alt="no"></emoji>y</pre>';
    const said = htmlToMarkdown(html, (name, attributes, { start, end }) => {
      if (name === 'at') return `${html.slice(start, end)}@`;
      return name === 'emoji' ? attributes.get('alt') : undefined;
    });
    expect(said).toBe('at id="1">@Ann 🌊**x**\n\n```\ny\n```');
  });
});
