import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { asObject, asString } from '../kit/narrow.ts';
import type { PageField } from '../kit/rows/saved-pages.ts';

/** Higher numbers are no pages: a conversation would have 50 million messages. */
const pageMax = 1_000_000;
/** Pages that the reason names. */
const namedMax = 3;

/** Address of the next page of messages; undefined on the last page. */
export function findNextPage(field: PageField): string | undefined {
  const link = asObject<{ href: string; rel: string }>(field('link'));
  return /^(?:self|prev|first|last)/.test(asString(link?.rel) ?? '') ? undefined : asString(link?.href);
}

/** Says that a list of people or conversations goes on: its `links` name a next page. */
export function wordsForMore(field: PageField): string | undefined {
  const next = asObject<{ next_page: unknown }>(field('links'))?.next_page;
  const href = asString(next) ?? asString(asObject<{ href: string }>(next)?.href);
  return href === undefined ? undefined : '"links" has the address of a next page';
}

/**
 * Pages of the messages of each conversation. A page does not say its number, but that of the next one, so that one between others is
 * missed, too. The names of files do not matter.
 *
 * Memory: about 60 bytes for each conversation, and 20 for each page.
 */
export class MessagePages {
  /** Numbers of the pages behind which another one follows. */
  readonly #open = new Map<string, { readonly numbers: Set<number>; readonly path: string }>();
  /** Conversations whose last page was read. */
  readonly #ended = new Set<string>();

  see(conversation: string, path: string, next: string | undefined): void {
    if (next === undefined) {
      this.#ended.add(conversation);
      return;
    }
    const pages = this.#open.get(conversation) ?? { numbers: new Set<number>(), path };
    this.#open.set(conversation, pages);
    const number = Number(/[?&]page=(\d{1,7})(?:&|$)/.exec(next)?.[1]);
    if (number > 1 && number <= pageMax) pages.numbers.add(number - 1);
  }

  missing(): readonly Entry[] {
    return [...this.#open].flatMap(([conversation, { numbers, path }]) => {
      const last = numbers.size === 0 ? 0 : numbers.values().reduce((a, b) => Math.max(a, b)) + 1;
      const hasEnd = this.#ended.has(conversation);
      const count = Math.max(0, last - 1 - numbers.size) + (hasEnd ? 0 : 1);
      if (count === 0) return [];
      const named: number[] = [];
      for (let page = 1; page < last && named.length < namedMax; page += 1) if (!numbers.has(page)) named.push(page);
      if (!hasEnd && last > 0 && named.length < namedMax) named.push(last);
      const words = named.length === 0 ? 'more' : `${named.join(', ')}${count > named.length ? ', …' : ''}`;
      return [
        partialEntry(`Pages of messages of "${conversation.slice(0, 60)}" are missing: ${words}`, { path }, count),
      ];
    });
  }
}
