import { describe, expect, test } from 'vitest';
import { html } from '../../../src/lib/text/html.ts';
import { type MarkupNode, parseMarkup } from '../../../src/lib/text/markup-tree.ts';
import { hasCorpora, hostileTexts } from '../../report/hostile.ts';

const textOf = (nodes: readonly MarkupNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');

describe('parseMarkup()', () => {
  test('parseMarkup() reads elements, values and text', () => {
    const page = html`<p class="a &amp; b">1 &lt; 2<br><svg viewBox="0 0"><rect width="9"/></svg></p><details open></details>`;
    expect(parseMarkup(page.toString())).toEqual([
      {
        name: 'p',
        attributes: { class: 'a & b' },
        children: [
          '1 < 2',
          { name: 'br', attributes: {}, children: [] },
          {
            name: 'svg',
            attributes: { viewBox: '0 0' },
            children: [{ name: 'rect', attributes: { width: '9' }, children: [] }],
          },
        ],
      },
      { name: 'details', attributes: { open: true }, children: [] },
    ]);
  });

  test.skipIf(!hasCorpora)('parseMarkup() makes no element and no attribute of any text that was escaped', () => {
    for (const text of hostileTexts(2_000)) {
      const visible = html`${text}`.toString();
      const [paragraph, ...others] = parseMarkup(html`<p title="${text}">${text}</p>`.toString());
      expect(others).toEqual([]);
      const { name, attributes, children } = paragraph as Exclude<MarkupNode, string>;
      expect([name, Object.keys(attributes), children.length]).toEqual(['p', ['title'], 1]);
      expect(html`${textOf(children)}`.toString()).toBe(visible);
    }
  });

  test('parseMarkup() refuses what html.ts does not make', () => {
    for (const markup of ['<p>', '</p>', '<p></b></p>', '<p>1 < 2</p>', '<p title=">', '<!-- a -->', '<p></P>'])
      expect(() => parseMarkup(markup)).toThrow(TypeError);
  });
});
