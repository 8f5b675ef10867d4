import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Pages that scripts write: Markdown, by their path below `docs/`. */
export type Pages = ReadonlyMap<string, string>;

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** The pages of a folder as they are. @param folder Below `docs/`. */
export const readPages = (folder: string): Pages =>
  new Map(
    globSync('*.md', { cwd: join(docs, folder) })
      .filter((name) => !name.startsWith('['))
      .sort()
      .map((name) => [`${folder}/${name}`, readFileSync(join(docs, folder, name), 'utf8')]),
  );

/** Replaces all pages of a folder. */
export function writePages(folder: string, pages: Pages): void {
  if (!existsSync(join(docs, folder))) mkdirSync(join(docs, folder));
  for (const path of readPages(folder).keys()) rmSync(join(docs, path));
  for (const [path, text] of pages) writeFileSync(join(docs, path), text);
}

/** Text of the program with links in place of the paths of pages. @param page Below `docs/`: where the text will be. */
export const withLinks = (text: string, page: string): string =>
  text.replace(/docs\/([\w/-]+)\.md/g, (_, named: string) => {
    const label = named
      .replace(/\/index$/, '')
      .split('/')
      .at(-1);
    return `[${label}](${posix.relative(posix.dirname(page), `${named}.md`)})`;
  });
