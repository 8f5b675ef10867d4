import { readFileSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { describeMarks } from '../src/sources/kit/marks.ts';
import { sources } from '../src/sources/registry.ts';
import { signatures } from '../src/sources/signatures.ts';
import type { Signature } from '../src/sources/signatures/signature.ts';
import type { SourceAdapter } from '../src/sources/source.ts';

/**
 * Writes the parts of pages that the sources know themselves: the head and the table of options of each source's page; and
 * the page of the platforms that are known by name only. The rest is written by hand: the table of sources, which says what each
 * reads, and the pages, under the same headings.
 */

/** Headings of every `docs/reference/sources/<name>.md`, in this order; others may come below them (`###`). */
export const pageHeadings = ['How to get the export', 'What is kept', 'What is lost, and why', 'Options'] as const;

export const pagePath = ({ name }: Pick<SourceAdapter, 'name'>): string => `docs/reference/sources/${name}.md`;

export const sourcesPath = 'docs/reference/sources/index.md';

/** Returns what each source reads, by its name, as the table on the page of sources says. */
export const whatSourcesRead = (page: string): ReadonlyMap<string, string> =>
  new Map([...page.matchAll(/^\| \[([\w-]+)\]\(\1\.md\) \| (.+?) \|/gm)].map(([, name, what]) => [name!, what!]));

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

/** Returns the page of a source, with its handwritten parts kept. @param what What it reads. */
export function renderPage(page: string, adapter: SourceAdapter, what: string): string {
  const own = page.replace(/^# .*\n+.*\n+/, '');
  const head = `# Source: ${adapter.name}\n\nRead this if you have an export of this kind: ${adapter.title}. Chatferry reads ${what}.\n\n`;
  return between(head + own, 'options', optionsTable(adapter));
}

function optionsTable({ options }: SourceAdapter): string {
  const rows = Object.entries((options as z.ZodLazy<z.ZodObject>).unwrap().shape).map(
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
  writeFileSync(platformsPath, renderPlatforms(readFileSync(platformsPath, 'utf8')));
  const what = whatSourcesRead(readFileSync(sourcesPath, 'utf8'));
  for (const adapter of sources) {
    const page = readOr(pagePath(adapter), emptyPage);
    writeFileSync(pagePath(adapter), renderPage(page, adapter, what.get(adapter.name) ?? '…'));
  }
}
