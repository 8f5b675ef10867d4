import type { TransportAnswer } from '../service/transport.ts';
import { listLimitDefault } from '../service/limits.ts';
import { badRequest, success } from './answers.ts';
import type { Handler, Service } from './handler.ts';
import { filtersOf } from './list-filters.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { type MessageRow, messageJson } from './message-json.ts';

/**
 * Messages in the order of their ids, ascending inside every page. `append` reads on after `id`, `prepend` gives the last page
 * before it. `sentAt` beside an `id` is the rest of a cursor and filters nothing; alone it begins after that second.
 */
export const listMessages: Handler = (service, { query: search, onBehalfOf }) => {
  const read = readListQuery(search);
  if ('details' in read) return badRequest(read.details);
  const { query } = read;
  const limit = query.limit ?? listLimitDefault;
  // One more than asked for shows whether there is another page.
  const found = find(service, query, onBehalfOf, limit + 1);
  const rows = found.slice(0, limit);
  if (query.affix === 'prepend') rows.reverse();
  return page(service, rows, limit, found.length > limit ? cursor(rows, query.affix) : undefined);
};

/** In the direction of reading: the newest first for `prepend`. */
function find(service: Service, query: ListQuery, onBehalfOf: string | undefined, count: number): MessageRow[] {
  const { conversationId } = query;
  const conversation = conversationId === undefined ? undefined : service.messages.conversation(conversationId);
  if (conversationId !== undefined && conversation === undefined) return [];
  const filters = filtersOf(query, conversation, onBehalfOf);
  return service.messages.find(filters, query.affix === 'prepend' ? 'DESC' : 'ASC', count);
}

type Cursor = { readonly affix: 'append' | 'prepend'; readonly sentAt: number; readonly id: string };

function cursor(rows: readonly MessageRow[], affix: Cursor['affix'] = 'append'): Cursor | undefined {
  const edge = affix === 'append' ? rows.at(-1) : rows[0];
  return edge && { affix, sentAt: edge.sentAt, id: String(edge.id) };
}

function page(service: Service, rows: readonly MessageRow[], limit: number, next: Cursor | undefined): TransportAnswer {
  const meta = JSON.stringify({ current: { limit, count: rows.length }, ...(next && { next }) });
  return success(`{"data":[${rows.map((row) => render(service, row)).join(',')}],"meta":${meta}}`);
}

function render({ people, groups }: Service, row: MessageRow): string {
  const receiver = row.receiverType === 'group' ? groups.find(row.receiver) : people.find(row.receiver);
  return messageJson(row, people.find(row.sender) ?? '{}', receiver ?? '{}');
}
