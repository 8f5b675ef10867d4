import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctNames } from '../../src/io/input/open-export.ts';

describe('distinctNames()', () => {
  it('returns base names if they differ', () => {
    expect(distinctNames(['/a/users.csv', '/b/messages.csv'])).toEqual(['users.csv', 'messages.csv']);
  });

  it('adds only as many folders as needed, only to names that need them', () => {
    expect(distinctNames(['/x/2023/a/u.csv', '/x/2024/a/u.csv', '/x/2024/b/u.csv', '/x/m.csv'])).toEqual([
      '2023/a/u.csv',
      '2024/a/u.csv',
      'b/u.csv',
      'm.csv',
    ]);
  });

  it('returns the whole path if necessary', () => {
    expect(distinctNames(['/u.csv', '/a/u.csv'])).toEqual(['u.csv', 'a/u.csv']);
  });

  it('never gives one name twice', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.uniqueArray(path), (paths) => {
        const names = distinctNames(paths);
        expect(new Set(names).size).toBe(paths.length);
        for (const [index, name] of names.entries()) expect(paths[index]!.endsWith(`/${name}`)).toBe(true);
      }),
    );
  });
});
