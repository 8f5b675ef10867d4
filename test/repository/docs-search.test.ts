import MarkdownIt from 'markdown-it';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { searchOptions } from '../../docs/.vitepress/search.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

/** A section as the site indexes it: a heading, those above it, and the text below it. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

const markdown = new MarkdownIt();

const textOf = (tokens: readonly { readonly type: string; readonly content: string }[]) =>
  tokens.flatMap(({ type, content }) => (type === 'inline' || type === 'fence' ? [content] : [])).join(' ');

function sectionsOf(path: string): Section[] {
  const tokens = markdown.parse(readTracked(path), {});
  const starts = tokens.flatMap(({ type }, index) => (type === 'heading_open' ? [index] : []));
  const above: string[] = [];
  return starts.map((start, index) => {
    const title = tokens[start + 1]!.content;
    const depth = Number(tokens[start]!.tag.slice(1)) - 1;
    const titles = above.slice(0, depth);
    above.splice(depth, above.length, title);
    const text = textOf(tokens.slice(start + 3, starts[index + 1]));
    return { id: `${path}#${index}`, title, titles, text };
  });
}

const pages = trackedFiles().filter((path) => /^docs\/.*\.md$/.test(path));
const index = new MiniSearch<Section>({
  fields: ['title', 'titles', 'text'],
  extractField: (section, field) => {
    const value = section[field as keyof Section];
    return typeof value === 'string' ? value : value.join(' ');
  },
});
index.addAll(pages.flatMap(sectionsOf));

/** Pages in the order in which their best section comes, each once. */
const found = (question: string): string[] => [
  ...new Set(index.search(question, searchOptions).map(({ id }) => String(id).replace(/#.*/, ''))),
];

describe('the search of the site', () => {
  it.each([
    ['import a PostgreSQL chat', 'docs/guides/databases.md'],
    ['what unconfirmed means', 'docs/understand/delivery.md'],
    ['leave out system messages', 'docs/guides/filters.md'],
    ['run nightly', 'docs/guides/operate/cron.md'],
  ])('answers "%s" with %s, first or second', (question, page) => {
    expect(found(question).slice(0, 2)).toContain(page);
  });
});
