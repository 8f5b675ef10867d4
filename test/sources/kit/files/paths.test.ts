import { describe, expect, it } from 'vitest';
import { leftOut, sortPaths, findWrapper } from '../../../../src/sources/kit/files/paths.ts';

describe('sortPaths()', () => {
  const sorted = sortPaths(
    [
      '.DS_Store',
      '._b.json',
      'Thumbs.db',
      'a.json',
      'b.json',
      'c.txt',
      'media/desktop.ini',
      'media/x.jpg',
      'people.json',
    ],
    (path) => {
      if (path === 'people.json') return 'people';
      if (path.endsWith('.json')) return 'messages';
      return path.startsWith('media/') ? { skip: 'Copy of a file' } : undefined;
    },
  );

  it('accounts for every path, and does not ask about files left by operating systems', () => {
    expect(sorted.of('messages')).toEqual(['a.json', 'b.json']);
    expect(sorted.of('people')).toEqual(['people.json']);
    expect(sorted.unknown).toEqual(['c.txt']);
    expect(sorted.skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      ...['.DS_Store', '._b.json', 'Thumbs.db', 'media/desktop.ini'].map(
        (path) => `${path}: Left behind by an operating system`,
      ),
      'media/x.jpg: Copy of a file',
    ]);
  });

  it('gives each that is not read its entry', () => {
    expect([...leftOut(sorted)].map((entry) => entry.type === 'file' && `${entry.role} ${entry.path}`)).toEqual([
      ...[
        'skipped .DS_Store',
        'skipped ._b.json',
        'skipped Thumbs.db',
        'skipped media/desktop.ini',
        'skipped media/x.jpg',
      ],
      'unknown c.txt',
    ]);
  });

  it('has no paths of a kind that there is none of', () => {
    expect(sortPaths<'rows'>([], () => undefined).of('rows')).toEqual([]);
  });
});

describe('findWrapper()', () => {
  const isTelling = (path: string) => path === 'result.json';

  it('finds the one folder around everything', () => {
    expect(findWrapper(['result.json', 'x/result.json'], isTelling)).toBe('');
    expect(findWrapper(['x/photos/a.jpg', 'x/result.json'], isTelling)).toBe('x/');
    expect(findWrapper(['x/y/result.json'], isTelling)).toBe('');
  });

  it('leaves several exports to the user', () => {
    expect(findWrapper(['x/result.json', 'y/result.json'], isTelling)).toBeUndefined();
  });
});
