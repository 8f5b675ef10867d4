import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LostPart } from '../../../../src/model/lost-parts.ts';
import { htmlToMarkdown } from '../../../../src/sources/kit/text/html-to-markdown.ts';
import { linear, longText, manyPieces } from '../../../long-text.ts';
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
    ['<a href="https://x.example/Tide_(sea)">tides</a>', '[tides](https://x.example/Tide_%28sea%29)'],
    ['<a href="https://x.example/Tide_(sea)">https://x.example/Tide_(sea)</a>', 'https://x.example/Tide_(sea)'],
    ['<a href="https://x.example/a)b">https://x.example/a)b</a>', '[https://x.example/a)b](https://x.example/a%29b)'],
    ['<a href=" https://x.example/a b.pdf ">plan</a>', '[plan](https://x.example/a%20b.pdf)'],
    [
      '<a href="sip:ann@x.example">call</a> <a href="ftp://x.example">f</a>',
      '[call](sip:ann@x.example) [f](ftp://x.example)',
    ],
    ['<a href="www.x.example">x</a> <a href="www.x.example">www.x.example</a>', 'x (www.x.example) www.x.example'],
    ['<a href="">#boat</a> <a href="#top">up</a> <a>x</a>', '#boat up x'],
    ['<a href="https://x.example">a] [b</a>', '[a\\] \\[b](https://x.example)'],
    ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    ['<ol start="3"><li>a<li value="7">b<li>c</ol>', '3. a\n7. b\n8. c'],
    ['<ol><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ol>', '1. a\n   - b\n     1. c\n2. d'],
    [
      '<table><thead><tr><th>a<th>b</tr></thead><tr><td><p>c</p><p>d</p></td><td>e|f</td></table>g',
      '| a | b |\n| --- | --- |\n| c  d | e\\|f |\n\ng',
    ],
    ['<table><caption>t</caption><tr><td>a</tr><tr><td><b>b</tr></table>c', 't\n\na\n**b**\n\nc'],
    ['<blockquote><table><tr><td>a<td>b</table></blockquote>', '> | a | b |\n> | --- | --- |'],
    ['<table><tr><td>a<td><pre>b\n  c</pre></table>', 'a\n\n```\nb\n  c\n```'],
    ['<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d</table>', '| a | b \\| c | d |\n| --- | --- | --- |'],
    ['<tr><td>a<td>b', 'ab'],
    ['<pre><code class="language-python">def f():\n    x\n</code></pre>', '```python\ndef f():\n    x\n```'],
    ['<codeblock class="Go"><code>a<br>&nbsp; b</code></codeblock><p>c', '```go\na\n  b\n```\n\nc'],
    ['<p>a <code>b<br>  c</code> d', 'a\n\n```\nb\n  c\n```\n\nd'],
    ['<ul><li>a<pre>b\n  c</pre></ul>', '- a\n\n  ```\n  b\n    c\n  ```'],
    ['<blockquote><pre>a\nb</pre></blockquote>', '> ```\n> a\n> b\n> ```'],
    ['<pre>a\n```\nb</pre> <code>x`y</code>', '````\na\n```\nb\n````\n\n`` x`y ``'],
    ['<pre><div>a</div><div><a href="https://x.example">b</a></div></pre>', '```\na\nb (https://x.example)\n```'],
    ['<details><summary>More</summary>body</details>a', '**More**\nbody\n\na'],
    ['<h2>a</h2>b<hr>c', '**a**\n\nb\n\n---\n\nc'],
    ['<section>a</section><section>b</section><dl><dt>c<dd>d</dl>', 'a\nb\n\nc\nd'],
    ['<input type=checkbox checked>a <q>b</q> <kbd>c</kbd>', '[x] a "b" `c`'],
    [
      '<video src="https://x.example/v.mp4"></video> <img src="https://x.example/i.png">',
      '[video](https://x.example/v.mp4) https://x.example/i.png',
    ],
  ])('turns %j into %j', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it.each([
    ['<u>a</u><ins>b</ins>', { underlines: 2 }],
    [
      'x<sup>2</sup> <font color="red">a</font> <font face="x">b</font> <span style="color: red">c</span>',
      { styles: 3 },
    ],
    ['<img src="cid:1"> <video src="/v.mp4"></video> <img alt="a" src="cid:2">', { oldLinks: 2 }],
    [`<a href="data:text/plain,${'x'.repeat(9000)}">a</a>`, { appData: 1 }],
  ])('counts what Markdown cannot show of %j', (html, counts) => {
    const lost: Partial<Record<LostPart, number>> = {};
    htmlToMarkdown(html, undefined, (part) => {
      lost[part] = (lost[part] ?? 0) + 1;
    });
    expect(lost).toEqual(counts);
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
      ...['<blockquote>', '<table>', '</table>', '<tr>', '<td>', '</td>', '<ol start=3>', '</ol>', '<code>', '</code>'],
      ...['<br>', '<a href="x.example">', '</a>', '<codeblock>', '</codeblock>', '`', '[', '<h1>', '</h1>', '<q>'],
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
    '<table><td>x',
    '<code>x<br>',
    '<ol start=9>x',
  ];

  it.each([
    ...everyNth(2, tags).map((piece) => ({ piece, html: longText(piece) })),
    ...everyNth(2, elements).map((piece) => ({ piece, html: manyPieces(piece) })),
  ])('reads a long text of $piece in linear time', linear, ({ html }) => {
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

  it("writes the meaning of a platform's own elements, but not in code", () => {
    const html = '<p><at id="1">Ann</at> <emoji alt="🌊"></emoji><b>x</b></p><pre><emoji alt="no"></emoji>y</pre>';
    const said = htmlToMarkdown(html, (name, attributes, { start, end }) => {
      if (name === 'at') return `${html.slice(start, end)}@`;
      return name === 'emoji' ? attributes.get('alt') : undefined;
    });
    expect(said).toBe('at id="1">@Ann 🌊**x**\n\n```\ny\n```');
  });
});
