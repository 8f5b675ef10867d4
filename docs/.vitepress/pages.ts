import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { renderServicePages, serviceFolder } from '../../scripts/write-service-api.ts';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** Pages of the guides by what you do, in the order in which you need them. Other folders list their pages by name. */
const guides = {
  Prepare: ['desk', 'databases', 'init', 'mappings', 'filters', 'doctor', 'sandbox', 'selftest'],
  Move: ['cutover', 'progress', 'actions', 'media', 'sync', 'drift'],
  Check: ['report', 'verify'],
  Repair: ['retry', 'undo', 'reconcile', 'disk'],
} as const;

/** A page of its own, outside the theme. */
const design: DefaultTheme.SidebarItem = { text: 'Design', link: '/design.html', target: '_self' };

/** The navigation beside the pages of each door. */
export const sidebar = (): DefaultTheme.Sidebar => ({
  '/tutorials/': [{ text: 'Tutorials', items: pagesIn('tutorials') }],
  '/guides/': [
    ...Object.entries(guides).map(([text, names]) => ({ text, items: names.map((name) => page(`guides/${name}`)) })),
    { text: 'Operate', items: pagesIn('guides/operate') },
  ],
  '/reference/': [{ text: 'Reference', items: pagesIn('reference') }, ...foldersIn('reference')],
  '/understand/': [{ text: 'Understand', items: [...pagesIn('understand'), design] }, ...foldersIn('understand')],
});

function foldersIn(folder: string): DefaultTheme.SidebarItem[] {
  const names = readdirSync(docs + folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.flatMap(({ name }) => {
    const path = `${folder}/${name}`;
    if (!existsSync(`${docs}${path}/index.md`)) return [];
    const items = path === serviceFolder ? servicePages() : pagesIn(path);
    return [{ text: titleOf(`${path}/index`), link: `/${path}/`, collapsed: true, items }];
  });
}

function pagesIn(folder: string): DefaultTheme.SidebarItem[] {
  const names = readdirSync(docs + folder).flatMap((name) => /^(.*)\.md$/.exec(name)?.[1] ?? []);
  return names.filter((name) => name !== 'index' && !name.startsWith('[')).map((name) => page(`${folder}/${name}`));
}

/** Those whose text is written when the site is built. */
const servicePages = (): DefaultTheme.SidebarItem[] =>
  Array.from(renderServicePages(), ([name, text]) => ({
    text: firstHeading(text)!,
    link: `/${serviceFolder}/${name}`,
  }));

const page = (path: string): DefaultTheme.SidebarItem => ({ text: titleOf(path), link: `/${path}` });

/** The first heading, without its marks of code. */
function titleOf(path: string): string {
  const title = firstHeading(readFileSync(`${docs}${path}.md`, 'utf8'));
  if (title === undefined)
    throw new Error(`The page "docs/${path}.md" has no title: expected a line that begins with "# "`);
  return title.replaceAll('`', '');
}

const firstHeading = (text: string): string | undefined => /^# (.*)$/m.exec(text)?.[1];
