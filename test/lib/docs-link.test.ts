import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docsAddress, docsLink } from '../../src/lib/docs-link.ts';
import { readTracked, root, trackedFiles } from '../repository/tracked-files.ts';

const repository = { url: 'git+https://git.example.org/acme/ferry.git' };

describe('docsLink()', () => {
  it('names the file in a checkout', () => {
    expect(docsLink('guides/verify')).toBe('docs/guides/verify.md');
  });

  it('is called with pages that exist, everywhere in src', () => {
    const called = trackedFiles()
      .filter((path) => /^src\/.*\.ts$/.test(path))
      .flatMap((path) => [...readTracked(path).matchAll(/docsLink\('([^']+)'\)/g)].map(([, page]) => page!));
    expect(called.length).toBeGreaterThan(50);
    expect(called.filter((page) => !existsSync(join(root, 'docs', `${page}.md`)))).toEqual([]);
  });

  it('is the only way in which src prints the path of a page', () => {
    // A comment may name the file.
    const printed = /^(?!\s*(?:\*|\/\/|\/\*)).*(?<![\w/([])docs\/(?:tutorials|guides|reference|understand)\//m;
    const others = trackedFiles().filter((path) => /^src\/.*\.tsx?$/.test(path) && printed.test(readTracked(path)));
    expect(others).toEqual([]);
  });
});

describe('docsAddress()', () => {
  it.each(['https://git.example.org/acme/ferry#readme', 'https://git.example.org/acme/ferry/'])(
    'leads to the page in the repository while the homepage is %s',
    (homepage) => {
      expect(docsAddress('guides/verify', { homepage, repository })).toBe(
        'https://git.example.org/acme/ferry/blob/main/docs/guides/verify.md',
      );
    },
  );

  it.each([
    ['https://ferry.example', 'https://ferry.example/guides/verify.html'],
    ['https://acme.example.org/ferry/', 'https://acme.example.org/ferry/guides/verify.html'],
  ])('leads to the page of a site at %s', (homepage, address) => {
    expect(docsAddress('guides/verify', { homepage, repository })).toBe(address);
  });
});
