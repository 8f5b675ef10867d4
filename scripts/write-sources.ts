import { readFileSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { describeMarks } from '../src/sources/kit/marks.ts';
import { sources } from '../src/sources/registry.ts';
import { signatures } from '../src/sources/signatures.ts';
import type { Signature } from '../src/sources/signatures/signature.ts';
import type { SourceAdapter } from '../src/sources/source.ts';

/**
 * Writes the parts of pages that the sources know themselves: the table of sources; the head and the table of options
 * of each source's page; and the page of the platforms that are known by name only. The rest is written by hand, under
 * the same headings on every page.
 */

/** Headings of every `docs/reference/sources/<name>.md`, in this order; others may come below them (`###`). */
export const pageHeadings = ['How to get the export', 'What is kept', 'What is lost, and why', 'Options'] as const;

export const pagePath = ({ name }: Pick<SourceAdapter, 'name'>): string => `docs/reference/sources/${name}.md`;

export const sourcesPath = 'docs/reference/sources/index.md';

/** Returns the page of sources with the table of these sources. */
export function renderSources(page: string, adapters: readonly SourceAdapter[] = sources): string {
  const rows = adapters.map(({ name, what, notes }) => `| [${name}](${name}.md) | ${what} | ${notes} |`);
  return between(page, 'sources', ['| source | reads | its page also says |', '|---|---|---|', ...rows].join('\n'));
}

export const platformsPath = 'docs/reference/platforms.md';

function byPlatform(): ReadonlyMap<string, readonly Signature[]> {
  const sorted = signatures.toSorted((a, b) => a.platform.localeCompare(b.platform, 'en'));
  return Map.groupBy(sorted, ({ platform }) => platform);
}

/** Returns the page of the platforms that are known by name only, with its handwritten parts kept. */
export function renderPlatforms(page: string): string {
  const sections = [...byPlatform()].map(
    ([platform, layouts]) => `### ${platform}\n\n${layouts.map(layoutLine).join('\n')}`,
  );
  return between(page, 'platforms', sections.join('\n\n'));
}

/** Escapes text that would be markup in Markdown but is meant literally. */
const plain = (text: string) => text.replace(/[*<]/g, '\\$&');

function layoutLine({ layout, marks, advice }: Signature): string {
  const told = [...new Set(marks.map(describeMarks))].join('; or ');
  return `- **${layout}**, recognised by ${plain(told)}. ${plain(advice)}.`;
}

/** Returns the page of a source, with its handwritten parts kept. */
export function renderPage(page: string, adapter: SourceAdapter): string {
  const own = page.replace(/^# .*\n+.*\n+/, '');
  const head = `# Source: ${adapter.name}\n\nRead this if you have an export of this kind: ${adapter.title}. Chatferry reads ${adapter.what}.\n\n`;
  return between(head + own, 'options', optionsTable(adapter));
}

function optionsTable({ options }: SourceAdapter): string {
  const rows = Object.entries((options as z.ZodObject).shape).map(
    ([name, option]) => `| \`${name}\` | ${cell((option as z.ZodType).meta()?.description ?? '')} |`,
  );
  if (rows.length === 0) return 'There are none: the export says everything that reading it needs.';
  const head = 'They go into the `source:` section of a [mapping](../mapping.md).\n\n| option | |\n|---|---|\n';
  return head + rows.join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/**
 * @throws Error if the two marks are missing: `<!-- options: npm run source-pages -->` and `<!-- /options -->`.
 */
function between(text: string, what: string, table: string): string {
  const [begin, end] = [`<!-- ${what}: npm run source-pages -->`, `<!-- /${what} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`Expected "${begin}" and "${end}" behind it`);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** A new page, to be filled in. */
const emptyPage = `# Source\n\nReads …\n\n${pageHeadings.map((heading) => `## ${heading}\n`).join('\n')}
<!-- options: npm run source-pages -->
<!-- /options -->
`;

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

if (import.meta.main) {
  writeFileSync(sourcesPath, renderSources(readFileSync(sourcesPath, 'utf8')));
  writeFileSync(platformsPath, renderPlatforms(readFileSync(platformsPath, 'utf8')));
  for (const adapter of sources) {
    writeFileSync(pagePath(adapter), renderPage(readOr(pagePath(adapter), emptyPage), adapter));
  }
}
