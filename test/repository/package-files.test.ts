import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

describe('a module of src', () => {
  it('locates files of the package only in lib/package-files.ts, because bundled code is elsewhere', () => {
    const others = trackedFiles().filter(
      (path) =>
        /^src\/.*\.ts$/.test(path) && path !== 'src/lib/package-files.ts' && readTracked(path).includes('import.meta'),
    );
    expect(others).toEqual([]);
  });
});
