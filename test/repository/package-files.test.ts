import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

describe('a module of src', () => {
  it('looks for files of the package in lib/package-files.ts alone: bundled, it stands elsewhere', () => {
    const others = trackedFiles().filter(
      (path) =>
        /^src\/.*\.ts$/.test(path) && path !== 'src/lib/package-files.ts' && readTracked(path).includes('import.meta'),
    );
    expect(others).toEqual([]);
  });
});
