import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTracked, root } from './tracked-files.ts';

describe('docs/understand/architecture.md', () => {
  const page = readTracked('docs/understand/architecture.md');

  it('names only existing files', () => {
    const named = [...page.matchAll(/`((?:src|test)\/[^`]*)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('names every folder of src, and fits on a screen', () => {
    const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `\`${name}/\``).filter((name) => !page.includes(name))).toEqual([]);
    expect(page.split('\n').length).toBeLessThan(70);
  });

  it('refers to two files that are short enough to read in one go', () => {
    for (const path of ['src/plan/plan.ts', 'src/delivery/import.ts'])
      expect(readTracked(path).split('\n').length, path).toBeLessThan(121);
  });
});
