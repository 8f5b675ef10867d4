import type { Options, SearchOptions } from 'minisearch';

/** Words that almost every question has, and that say nothing about the page. */
const emptyWords = new Set(
  'a an and are can do does for from how i in is it my of on or out that the to what when which with'.split(' '),
);

/** How the site's search splits text into words and ranks pages. test/repository/docs-search.test.ts asks it questions. */
export const indexOptions = {
  processTerm: (term: string) => {
    const word = term.toLowerCase();
    return emptyWords.has(word) ? null : word;
  },
} satisfies Pick<Options, 'processTerm'>;

/** A title counts more than the text below it; the page's title as much as the section's. */
export const searchOptions = {
  fuzzy: 0.1,
  prefix: true,
  boost: { title: 4, text: 1, titles: 3 },
} satisfies SearchOptions;
