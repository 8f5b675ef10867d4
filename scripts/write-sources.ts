import { readFileSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { sources } from '../src/sources/registry.ts';
import type { SourceAdapter } from '../src/sources/source.ts';

/**
 * What pages say of sources and the sources know themselves: the table in README.md, and of each page its head and the table of
 * options. The rest is written by hand, under the same headings on every page.
 */

/** Of every `docs/sources/<name>.md`, in this order; others may stand below them (`###`). */
export const pageHeadings = ['How to get the export', 'What is kept', 'What is lost, and why', 'Options'] as const;

export const pagePath = ({ name }: Pick<SourceAdapter, 'name'>): string => `docs/sources/${name}.md`;

/** README.md with the table of these sources. */
export function renderReadme(readme: string, adapters: readonly SourceAdapter[] = sources): string {
  const rows = adapters.map(
    (adapter) =>
      `| \`${adapter.name}\` | ${adapter.what} | [${pagePath(adapter)}](${pagePath(adapter)})${adapter.notes && `: ${adapter.notes}`} |`,
  );
  return between(readme, 'sources', ['| source | what | notes |', '|---|---|---|', ...rows].join('\n'));
}

/** The page of a source, with what stood on it by hand. */
export function renderPage(page: string, adapter: SourceAdapter): string {
  const own = page.replace(/^# .*\n+.*\n+/, '');
  const head = `# Source: ${adapter.name}\n\nReads ${adapter.what}.\n\n`;
  return between(head + own, 'options', optionsTable(adapter));
}

function optionsTable({ options }: SourceAdapter): string {
  const rows = Object.entries((options as z.ZodObject).shape).map(
    ([name, option]) => `| \`${name}\` | ${cell((option as z.ZodType).meta()?.description ?? '')} |`,
  );
  if (rows.length === 0) return 'There are none: the export says everything that reading it needs.';
  const head = 'They stand in the `source:` section of a [mapping](../mapping.md).\n\n| option | |\n|---|---|\n';
  return head + rows.join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @throws Error where the two marks are missing: `<!-- options: npm run source-pages -->` and `<!-- /options -->`. */
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
  writeFileSync('README.md', renderReadme(readFileSync('README.md', 'utf8')));
  for (const adapter of sources) {
    writeFileSync(pagePath(adapter), renderPage(readOr(pagePath(adapter), emptyPage), adapter));
  }
}
