import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, html, link, nothing, scriptElement, styleElement } from '../../../src/lib/text/html.ts';
import { anyCharacter } from '../../arbitrary-text.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 200 });

describe('escapeHtml()', () => {
  test('escapeHtml() escapes the six characters that HTML gives a meaning', () => {
    expect(escapeHtml(`&<>"'\``)).toBe('&amp;&lt;&gt;&quot;&#39;&#96;');
  });

  test('escapeHtml() leaves no character that could end a text or a quoted attribute', () => {
    fc.assert(fc.property(anyText, (text) => !/[<>"'`]/.test(escapeHtml(text))));
  });

  test('escapeHtml() leaves only ampersands that begin one of its own references', () => {
    fc.assert(fc.property(anyText, (text) => !/&(?!(?:amp|lt|gt|quot|#39|#96);)/.test(escapeHtml(text))));
  });

  test('escapeHtml() loses nothing: visible text comes back when its references are resolved', () => {
    const visible = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    fc.assert(fc.property(visible, (text) => resolve(escapeHtml(text)) === text));
  });

  test('escapeHtml() names bidi and other invisible control characters', () => {
    expect(escapeHtml('\u202efdp.exe')).toBe('⟦U+202E⟧fdp.exe');
    expect(escapeHtml('a\u0000b\u001b[2J\u0085')).toBe('a⟦U+0000⟧b⟦U+001B⟧[2J⟦U+0085⟧');
    expect(escapeHtml('one\ttwo\r\n')).toBe('one\ttwo\r\n');
  });

  test('escapeHtml() leaves no control character but tab, LF and CR', () => {
    const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    fc.assert(fc.property(anyText, (text) => !unseen.test(escapeHtml(text))));
  });

  test('escapeHtml() replaces half of a surrogate pair', () => {
    expect(escapeHtml('a\ud800b')).toBe('a\ufffdb');
  });
});

describe('html``', () => {
  test('html`` escapes text, joins lists and keeps markup that it made itself', () => {
    const items = ['<a>', 'b'].map((item) => html`<li title="${item}">${item}</li>`);
    expect(html`<ul>${items}${3}${nothing}</ul>`.toString()).toBe(
      '<ul><li title="&lt;a&gt;">&lt;a&gt;</li><li title="b">b</li>3</ul>',
    );
  });

  test('html`` rejects values that only resemble its own markup', () => {
    const forged = { toString: () => '<b>' };
    // @ts-expect-error Only what `html` and `styleElement` return is markup.
    expect(() => html`<p>${forged}</p>`).toThrow(TypeError);
  });

  test('html`` refuses a value in an unquoted attribute', () => {
    expect(() => html`<a class=${'x y'}>`).toThrow('Cannot escape a value at this place of a template: "<a class="');
    expect(() => html`<a id="${'a'}" class=${'x'}>`).toThrow(TypeError);
  });

  test('html`` accepts an equals sign in text', () => {
    expect(html`<p>read = ${1}</p>`.toString()).toBe('<p>read = 1</p>');
  });

  test('html`` refuses a value in attributes that are run or fetched, except for anchors of this page', () => {
    expect(() => html`<a href="${'javascript:alert(1)'}">`).toThrow(TypeError);
    expect(() => html`<a href="https://x/${'a'}">`).toThrow(TypeError);
    expect(() => html`<p style="color:${'red'}">`).toThrow(TypeError);
    expect(() => html`<p onclick='${'x'}'>`).toThrow(TypeError);
    expect(html`<a href="#${'main'}">`.toString()).toBe('<a href="#main">');
  });

  test('link() takes an address of the web, and no other', () => {
    const address = new URL('http://127.0.0.1:4000/viewer#/m/a%22b');
    expect(link(address, html`<b>${'<'}</b>`).toString()).toBe(
      '<a href="http://127.0.0.1:4000/viewer#/m/a%22b"><b>&lt;</b></a>',
    );
    expect(() => link(new URL('javascript:alert(1)'), 'x')).toThrow(TypeError);
  });

  test('html`` refuses script and style elements', () => {
    expect(() => html`<script>${'x'}</script>`).toThrow(TypeError);
    expect(() => html`<p>${'x'}</p><style>p {}</style>`).toThrow(TypeError);
  });
});

test('styleElement() refuses a stylesheet that could end its element', () => {
  expect(styleElement('p > b { margin: 0 }').toString()).toBe('<style>p > b { margin: 0 }</style>');
  expect(() => styleElement('p {} </style>')).toThrow(TypeError);
});

test('scriptElement() refuses a script that could end its element', () => {
  expect(scriptElement('if (a > b) run();').toString()).toBe('<script>if (a > b) run();</script>');
  expect(() => scriptElement('"</script>"')).toThrow(TypeError);
});

function resolve(markup: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
  return markup.replace(/&([a-z0-9#]+);/g, (_, name: string) => characters[name] ?? '?');
}
