import type { z } from 'zod';
import { listMessages } from '../service/contract/messages.ts';
import { detailsOf } from './answers.ts';

export type ListQuery = z.output<typeof listMessages.query>;

/** What the sandbox can do so far. A filter that was passed over in silence would look like an answer. */
const supported: ReadonlySet<string> = new Set<keyof ListQuery>([
  'conversationId',
  'limit',
  'affix',
  'id',
  'sentAt',
  'fromTimestamp',
  'toTimestamp',
  'sender',
  'receiverType',
  'category',
  'categories',
  'type',
  'types',
  'tags',
  'withTags',
  'searchKey',
  'hasAttachments',
]);

const lists: ReadonlySet<string> = new Set<keyof ListQuery>(['categories', 'types', 'tags']);

/** The parameters of a listing, or what is wrong with them by name. An empty value counts as not given. */
export function readListQuery(
  search: URLSearchParams,
): { readonly query: ListQuery } | { readonly details: Readonly<Record<string, readonly string[]>> } {
  const given: Record<string, string | string[]> = {};
  const details: Record<string, string[]> = {};
  for (const [spelling, value] of search) {
    const name = spelling.replace(/\[\]$/, '');
    if (value === '') continue;
    if (!supported.has(name)) details[name] = [sentenceAbout(name)];
    else if (lists.has(name)) given[name] = [...(given[name] ?? []), value];
    else given[name] = value;
  }
  if (given.id !== undefined && !/^\d{1,15}$/.test(String(given.id))) details.id = ['expected the id of a message'];
  const { data, error } = listMessages.query.safeParse(given);
  if (data && Object.keys(details).length === 0) return { query: data };
  return { details: { ...detailsOf(error?.issues ?? []), ...details } };
}

const sentenceAbout = (name: string): string =>
  name in listMessages.query.shape ? 'not supported by the sandbox yet' : 'no parameter of this operation';
