import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { conversationOf, type Layout } from './layout.ts';

/**
 * Pages of lists that are in no file. Pages of the threads of one conversation are one list; others are one if their paths differ in the last
 * number alone. A file that does not say which page it is may be the one that is missing.
 */
export function missingPages(layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const lists = Map.groupBy(
    layouts,
    ([path, layout]) =>
      (layout.role === 'threads' ? conversationOf(layout) : undefined) ?? path.replace(/\d+(?=\D*$)/, '#'),
  );
  return [...lists.values()].flatMap((ofList) => {
    if (ofList.some(([, { pages }]) => pages.length === 0)) return [];
    const pages = ofList.flatMap(([, layout]) => layout.pages);
    const total = pages.reduce((most, { totalPages }) => Math.max(most, totalPages), 0);
    const given = new Set(pages.map(({ number }) => number)).size;
    const [path] = ofList.at(-1)!;
    return given >= total
      ? []
      : [partialEntry(`"totalPages" is ${total}, and ${given} of its pages are given`, { path }, total - given)];
  });
}
