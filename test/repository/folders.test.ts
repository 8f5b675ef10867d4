import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

/** The way of Node that never ends when a file system answers ENOENT for a folder in an existing folder: `/proc/x`. */
const endless = /\bmkdir(?:Sync)?\([^;]*?\brecursive\b/;

const shipped = trackedFiles().filter((path) => /^(?:src|bin)\/.*\.(?:ts|mjs|cjs)$/.test(path));

describe('a folder', () => {
  it('is made by makeFolder() alone, never by the recursive way of Node', () => {
    expect(shipped.length).toBeGreaterThan(100);
    expect(shipped.filter((path) => endless.test(readTracked(path)))).toEqual([]);
  });

  it.each(['mkdirSync(path, { recursive: true });', 'await mkdir(dirname(path), {\n  recursive: true,\n  mode });'])(
    'is found to be made otherwise in %j',
    (code) => expect(code).toMatch(endless),
  );

  it('may be made alone, next to something that is removed with all in it', () => {
    expect('mkdirSync(path);\nrmSync(other, { recursive: true });').not.toMatch(endless);
  });
});
