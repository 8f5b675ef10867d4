import { describe, expect, test } from 'vitest';
import { type MarkupNode, parseMarkup } from '../../src/lib/text/markup-tree.ts';
import { renderSections } from '../../src/report/sections.ts';
import { dryRun, oneOfEach, troubledImport } from './fixture.ts';
import { fillStrings, hasCorpora, hostileTexts } from './hostile.ts';

const all = 'glance losses lost totals arrivals decided content conversations skipped'.split(' ');
const links = {
  toMessage: (location: string) => `/m/${encodeURIComponent(location)}`,
  toSetting: (key: string) => (key === 'messages.reactions' ? '/choices/messages.reactions' : undefined),
};

const elementsIn = (nodes: readonly MarkupNode[]): readonly Exclude<MarkupNode, string>[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsIn(node.children)]));

const shapeOf = (markup: string) =>
  elementsIn(parseMarkup(markup)).map(({ name, attributes }) => `${name} ${Object.keys(attributes)}`);

describe('renderSections()', () => {
  test('renderSections() renders the sections that were named, in their order, and passes over other names', () => {
    const ids = (names: readonly string[]) =>
      [...renderSections(dryRun(), names, links).matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids(['losses', 'nothing', 'toString', 'totals'])).toEqual(['losses', 'totals']);
    expect(renderSections(dryRun(), [''], links)).toBe('');
  });

  test('renderSections() leads from a loss to its message and to its decision, and to nothing else', () => {
    const [first] = dryRun().losses;
    const losses = [
      { ...first!, example: 'a b.json#/4', setting: 'messages.reactions' },
      { ...first!, setting: 'people.uid' },
    ];
    const page = renderSections({ ...troubledImport(), losses }, all, links);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '#/choices/messages.reactions',
      '#/m/a%20b.json%23%2F4',
    ]);
  });

  test.skipIf(!hasCorpora)('renderSections() has the same elements whatever the texts of a report are', () => {
    const plain = shapeOf(renderSections(fillStrings(oneOfEach(), 'text'), all, links));
    for (const text of hostileTexts(20_000)) {
      const page = renderSections(fillStrings(oneOfEach(), text), all, links);
      expect(shapeOf(page)).toEqual(plain);
    }
  });
});
