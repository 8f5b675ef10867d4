import { existsSync, globSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTracked, root } from './tracked-files.ts';

const folders = readdirSync(`${root}src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** Their READMEs name subfolders, because no module imports from `cli` and the others are libraries. */
const listedBySubfolder: readonly string[] = ['cli', 'io', 'lib'];

const pathOf = (folder: string) => `src/${folder}/README.md`;

/** The files that lie directly in a folder, or its subfolders with a slash at the end. */
const partsOf = (folder: string): readonly string[] =>
  listedBySubfolder.includes(folder)
    ? globSync('*/', { cwd: `${root}src/${folder}` }).map((name) => `${name.replace(/[\\/]$/, '')}/`)
    : globSync('*.ts', { cwd: `${root}src/${folder}` });

/** Returns the names in backticks outside a README's example: files of TypeScript, and folders with a slash at the end. */
const namesIn = (readme: string): readonly string[] =>
  [...readme.replaceAll(/```.*?```/gs, '').matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name]) => name!);

/** A name counts from the folder of its README, from `src`, or from the top. */
const isThere = (folder: string, name: string): boolean =>
  [`src/${folder}/${name}`, `src/${name}`, name].some((path) => existsSync(root + path));

/** Returns the imports in a README's example that its module does not export. */
function missingImports(folder: string, readme: string): readonly string[] {
  const imports = readme.matchAll(/^import (?:type )?\{ ([^}]+) \} from '(\.[^']+)';$/gm);
  return [...imports].flatMap(([, names, specifier]) => {
    const path = posix.join('src', folder, specifier!);
    if (!existsSync(root + path)) return [path];
    const code = readTracked(path);
    const isExported = (name: string) =>
      new RegExp(`^export (?:async )?(?:function\\*?|class|const|interface|type) ${name}\\b`, 'm').test(code);
    return names!.split(', ').flatMap((name) => (isExported(name.replace('type ', '')) ? [] : [`${path}: ${name}`]));
  });
}

describe('the README of a folder of src', () => {
  it.each(folders)('of %s exists and fits on a screen', (folder) => {
    const lines = readTracked(pathOf(folder)).trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^# ${folder}: `));
    expect(lines.length).toBeLessThanOrEqual(45);
  });

  it.each(folders)('of %s names every door', (folder) => {
    const named = new Set(namesIn(readTracked(pathOf(folder))));
    const parts = partsOf(folder);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter((part) => !named.has(part))).toEqual([]);
  });

  it.each(folders)('of %s names no file that does not exist', (folder) => {
    expect(namesIn(readTracked(pathOf(folder))).filter((name) => !isThere(folder, name))).toEqual([]);
  });

  it.each(folders)('of %s imports only exported names in its example', (folder) => {
    expect(missingImports(folder, readTracked(pathOf(folder)))).toEqual([]);
  });

  it.each(folders)('of %s states what the folder must not know', (folder) => {
    expect(readTracked(pathOf(folder))).toContain('**May not know:**');
  });
});
