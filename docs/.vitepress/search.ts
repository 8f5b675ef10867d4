import type { SearchOptions } from 'minisearch';

/**
 * How the site's search ranks pages: a title counts more than the text below it, the page's title nearly as much as the section's.
 * `test/repository/docs-search.test.ts` asks it questions. Values only: VitePress turns functions into text, and evaluates it in the page.
 */
export const searchOptions = {
  fuzzy: 0.1,
  prefix: true,
  boost: { title: 4, text: 1, titles: 3 },
} satisfies SearchOptions;
