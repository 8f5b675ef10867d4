import type { Service } from './service.ts';
import type { Filter } from '../data/message-filters.ts';
import type { MessageRow } from '../data/message-json.ts';

/** Where a page begins. Without an id it is the first or the last page. */
export interface Place {
  /** Messages after or before the id. */
  readonly affix: 'append' | 'prepend';
  readonly id?: number | undefined;
  /** Of the message with that id: the rest of a cursor, which saves looking for it. */
  readonly sentAt?: number | undefined;
}

export interface Page {
  /** Ascending, whichever way the list is read. */
  readonly rows: readonly MessageRow[];
  /** The row from which the next page goes on; absent on the last page. */
  readonly edge: MessageRow | undefined;
}

/** One page of the messages that pass the filters, in the order and with the cursors that the sandbox is to have. */
export function readPage(service: Service, filters: readonly Filter[], place: Place, size: number): Page {
  const { order } = service.rules.listing;
  const direction = place.affix === 'prepend' ? 'DESC' : 'ASC';
  const columns = order === 'time' ? `sent_at ${direction}, id ${direction}` : `id ${direction}`;
  // One more than asked for shows whether there is another page.
  const found = service.messages.find(
    [...filters, ...shown(service), ...placeFilter(service, place)],
    columns,
    size + 1,
  );
  const rows = found.slice(0, size);
  const edge = found.length > size ? rows.at(-1) : undefined;
  return { rows: place.affix === 'prepend' ? rows.toReversed() : rows, edge };
}

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
  const { order, cursors } = rules.listing;
  const comparison = `${affix === 'prepend' ? '<' : '>'}${cursors === 'inclusive' ? '=' : ''}`;
  const time = order === 'time' ? (sentAt ?? messages.get(String(id))?.sentAt) : undefined;
  if (time === undefined) return [{ sql: `id ${comparison} ?`, values: [id] }];
  return [{ sql: `(sent_at, id) ${comparison} (?, ?)`, values: [time, id] }];
}
