import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

interface Manifest {
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly url: string };
  readonly scripts: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readTracked('package.json')) as Manifest;
const pages = trackedFiles().filter((path) => path.endsWith('.md') && !path.startsWith('samples/'));

/** Returns the matches of a pattern in the text of these files: `path: match`. */
const matchesIn = (paths: readonly string[], pattern: RegExp): readonly string[] =>
  paths.flatMap((path) => [...readTracked(path).matchAll(pattern)].map(([match]) => `${path}: ${match}`));

describe('a page', () => {
  it('names no npm script that package.json lacks', () => {
    const named = pages.flatMap((path) => [...readTracked(path).matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)]);
    expect(named.map(([, name]) => name!).filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });

  it('installs Chatferry from a checkout or a tarball, as long as it is not in the registry of npm', () => {
    const texts = trackedFiles().filter((path) => pages.includes(path) || /^(?:src|bin|Dockerfile|docs)\b/.test(path));
    const fromRegistry =
      /\bnpm (?:install|i|add)(?: -\S+)* chatferry(?![-\w.])|-p chatferry\b|npmjs\.com\/package\/chatferry/g;
    expect(matchesIn(texts, fromRegistry)).toEqual([]);
  });
});

describe('package.json', () => {
  it('names one repository, which SECURITY.md names too', () => {
    const address = manifest.repository.url.replace(/^git\+|\.git$/g, '');
    expect(manifest.bugs).toBe(`${address}/issues`);
    expect(readTracked('SECURITY.md')).toContain(`<${address}/security/advisories/new>`);
  });

  it('is the one file that names the homepage', () => {
    const others = trackedFiles().filter(
      (path) => /\.(?:ts|tsx|cjs|mjs|md|yaml)$/.test(path) && !path.startsWith('samples/'),
    );
    expect(others.filter((path) => readTracked(path).includes(manifest.homepage))).toEqual([]);
  });
});
