import type { Service } from './service.ts';
import type { Filter } from '../data/message-filters.ts';
import type { MessageRow } from '../data/message-json.ts';

/** Start of a page. Without an id it is the first or the last page. */
export interface Place {
  /** Messages after or before the id. */
  readonly affix: 'append' | 'prepend';
  readonly id?: number | undefined;
  /** Unix seconds. The time of the message with that id is the rest of a cursor; any other is a filter of its own. */
  readonly sentAt?: number | undefined;
}

export interface Page {
  /** Ascending, whichever way the list is read. */
  readonly rows: readonly MessageRow[];
  /** Start of the next page: the last row in reading order; for an empty page, its own start. */
  readonly edge: { readonly id: number; readonly sentAt: number };
}

/** One page of the messages that pass the filters, in the order and with the cursors that the sandbox is to have. */
export function readPage(service: Service, filters: readonly Filter[], place: Place, size: number): Page {
  const { order } = service.rules.listing;
  const direction = place.affix === 'prepend' ? 'DESC' : 'ASC';
  const columns = order === 'time' ? `sent_at ${direction}, id ${direction}` : `id ${direction}`;
  const rows = service.messages.find([...filters, ...shown(service), ...placeFilter(service, place)], columns, size);
  const edge = rows.at(-1) ?? emptyPage(service, place).edge;
  return { rows: place.affix === 'prepend' ? rows.toReversed() : rows, edge };
}

/** Returns an empty page. A client that follows its cursor gets the messages that come later. */
export const emptyPage = ({ messages }: Service, { id = 0, sentAt }: Place): Page => ({
  rows: [],
  edge: { id, sentAt: sentAt ?? messages.get(String(id))?.sentAt ?? 0 },
});

/** How many messages there are on all pages, and how many of them come before the page that begins here. */
export function countPages(
  service: Service,
  filters: readonly Filter[],
  place: Place,
): { readonly total: number; readonly before: number } {
  const total = service.messages.count([...filters, ...shown(service)]);
  if (place.id === undefined) return { total, before: 0 };
  const rest = service.messages.count([...filters, ...shown(service), ...placeFilter(service, place)]);
  return { total, before: total - rest };
}

function shown({ rules }: Service): Filter[] {
  const { idMax } = rules.listing;
  return idMax === Number.MAX_SAFE_INTEGER ? [] : [{ sql: 'id <= ?', values: [idMax] }];
}

function placeFilter({ rules, messages }: Service, { affix, id, sentAt }: Place): Filter[] {
  if (id === undefined) return [];
  const beyond = affix === 'prepend' ? '<' : '>';
  const { order, cursors } = rules.listing;
  const sentAtForId = order === 'id' && sentAt === undefined ? undefined : messages.get(String(id))?.sentAt;
  const comparison = `${beyond}${cursors === 'inclusive' ? '=' : ''}`;
  const begins: Filter =
    order === 'time' && sentAtForId !== undefined
      ? { sql: `(sent_at, id) ${comparison} (?, ?)`, values: [sentAtForId, id] }
      : { sql: `id ${comparison} ?`, values: [id] };
  const isCursor = sentAt === undefined || sentAt === sentAtForId;
  return isCursor ? [begins] : [begins, { sql: `sent_at ${beyond} ?`, values: [sentAt] }];
}
