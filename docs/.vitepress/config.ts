/**
 * The documentation site: `npm run docs` writes it to docs/.vitepress/dist. It asks nothing of a network: no fonts, no analytics, and its
 * search runs in the page.
 *
 * VitePress cannot write addresses that are relative to a page, so the folder in which a host serves the site is fixed when it is built:
 * the path of `homepage` in package.json, once that is the site's address, or `DOCS_BASE=/some/folder/`. Until then `/`.
 */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { designPage } from './design.ts';
import { sidebar } from './pages.ts';
import { searchOptions } from './search.ts';

// Links to files with these endings are no links to pages.
process.env.VITE_EXTRA_EXTENSIONS = 'cron,service,timer';

const docs = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly description: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
};
const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

function base(): string {
  const isSite = !manifest.homepage.startsWith(repository);
  return process.env.DOCS_BASE ?? (isSite ? new URL(`${manifest.homepage}/`).pathname.replace(/\/+$/, '/') : '/');
}

/** What differs from Markdown as VitePress reads it. */
const plainMarkdown: MarkdownOptions['config'] = (markdown) => {
  // `<NAME>` is text. Comments mark what scripts write.
  const text = (content: string) => (content.startsWith('<!--') ? '' : markdown.utils.escapeHtml(content));
  markdown.renderer.rules.html_inline = (tokens, index) => text(tokens[index]!.content);
  markdown.renderer.rules.html_block = (tokens, index) => text(tokens[index]!.content);
  // Braces are text too, and no expressions.
  markdown.renderer.rules.text = (tokens, index) =>
    markdown.utils.escapeHtml(tokens[index]!.content).replaceAll('{{', '&#123;&#123;');
  // Indented lines look like those between fences.
  markdown.renderer.rules.code_block = (tokens, index, options, env, self) => {
    const block = tokens[index]!;
    block.info = 'text';
    return markdown.renderer.rules.fence!(tokens, index, options, env, self);
  };
  // Links that lead out of docs/, or to a folder without a page, lead to the repository.
  markdown.core.ruler.push('links-to-repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === 'link_open' ? token.attrGet('href') : null;
      if (target !== null && !/^(?:[a-z]+:|#|\/)/.test(target))
        token.attrSet('href', addressOf(target, env.relativePath));
    }
  });
};

/** @param page From docs/: `guides/verify.md`. */
function addressOf(target: string, page: string): string {
  const [path = '', fragment] = target.split('#');
  const file = posix.join('docs', posix.dirname(page), path);
  const found = statSync(join(docs, '..', file), { throwIfNoEntry: false });
  // A page that is written when the site is built, or a dead link, which stops the build.
  if (!found) return target;
  const isFolder = found.isDirectory();
  const isPage = file.startsWith('docs/') && (!isFolder || readdirSync(join(docs, '..', file)).includes('index.md'));
  if (isPage) return target;
  return `${repository}/${isFolder ? 'tree' : 'blob'}/main/${file.replace(/\/$/, '')}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Files beside the pages, such as schemas and units of systemd: the site has them at the same paths. */
function copyFiles(outFolder: string): void {
  const isCopied = (path: string) => !/\.(?:md|paths\.ts)$/.test(path) && !path.includes('.vitepress');
  for (const entry of readdirSync(docs, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(docs.length);
    if (entry.isFile() && isCopied(path)) cpSync(docs + path, join(outFolder, path));
  }
}

export default defineConfig({
  title: 'Chatferry',
  description: manifest.description,
  lang: 'en',
  base: base(),
  lastUpdated: false,
  markdown: { linkify: false, languageAlias: { ndjson: 'json' }, config: plainMarkdown },
  // Pages of wide tables take the room of the outline.
  transformPageData(page) {
    if (/^(?:reference\/(?:options|checks|service|sources)\/|understand\/fidelity)/.test(page.relativePath))
      page.frontmatter.aside = false;
  },
  buildEnd({ outDir }) {
    copyFiles(outDir);
    writeFileSync(join(outDir, 'design.html'), designPage());
  },
  themeConfig: {
    nav: ['Tutorials', 'Guides', 'Reference', 'Understand'].map((text) => ({
      text,
      link: `/${text.toLowerCase()}/`,
      activeMatch: `^/${text.toLowerCase()}/`,
    })),
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions } },
    },
  },
});
