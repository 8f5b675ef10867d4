import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTracked, root, trackedFiles } from './tracked-files.ts';

const pages = trackedFiles().filter((path) => path.endsWith('.md') && !path.startsWith('samples/'));

/** Targets of `[text](target)`, without those that lead out of the repository and without what follows a `#`. */
const linksOf = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!.split('#')[0]!)
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));

/** Pages that are named in plain words: `docs/reference/sources/csv.md`. */
const namedPages = (text: string) => text.match(/(?<![\w./-])docs\/[\w/-]+\.md/g) ?? [];

/** The pages to which a page leads, by their paths. */
const ledTo = (page: string) =>
  linksOf(readTracked(page))
    .map((target) => join(dirname(page), target))
    .filter((path) => path.endsWith('.md'));

describe('docs/index.md', () => {
  it('leads to every page of docs/, by way of the pages that list others, on one screen, and the README to it', () => {
    const linked = new Set(['docs/index.md']);
    for (const page of linked)
      if (page.endsWith('/index.md')) for (const path of ledTo(page)) if (path.startsWith('docs/')) linked.add(path);
    // A name with brackets is that of pages that are written when the site is built.
    const pages = trackedFiles().filter((path) => /^docs\/[^[]*\.md$/.test(path));
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
    expect(readTracked('docs/index.md').split('\n').length).toBeLessThan(45);
    expect(linksOf(readTracked('README.md'))).toContain('docs/index.md');
  });
});

describe('links between pages', () => {
  it.each(pages)('in %s lead to files', (page) => {
    const missing = linksOf(readTracked(page)).filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it('that the program, its mappings and its samples name lead to pages', () => {
    const texts = trackedFiles().filter((path) =>
      /^(?:src|mappings|samples|test|docs)\/.*\.(?:ts|yaml|json|md)$/.test(path),
    );
    const missing = texts.flatMap((path) =>
      namedPages(readTracked(path)).flatMap((page) => (existsSync(root + page) ? [] : [`${path}: ${page}`])),
    );
    expect(missing).toEqual([]);
  });
});
