import { listLimitDefault, perPageDefault } from '../../service/profiles.ts';
import { badRequest, noSuchUser, buildPagination, refuse, success } from '../answers.ts';
import type { Conversation } from '../data/conversations.ts';
import {
  type Filter,
  buildFilters,
  given,
  mentionFilter,
  notFromBlocked,
  sentBy,
  sentOrReceivedBy,
  visibleTo,
  whereTrue,
  whether,
} from '../data/message-filters.ts';
import { showMessages, type View } from '../data/show-messages.ts';
import type { Call, Handler, Service } from './service.ts';
import type { MessageRow } from '../data/message-json.ts';

type ListCall = Call<'listMessages'>;
type UserListCall = Call<'listUserMessages'>;

const hasReactions = 'id IN (SELECT message FROM reaction)';

/**
 * Lists messages in the order of their ids, ascending inside every page. `append` reads on after `id`, `prepend` gives
 * the last page before it. `sentAt` begins after that second, or before it. Only together with the `id` of a message of
 * that very second is it the rest of a cursor, and filters nothing.
 */
export const listMessages: Handler<'listMessages'> = (service, { query, onBehalfOf }) => {
  if (query.unread && !query.count) return badRequest({ unread: ['expected together with "count": true'] });
  const { limit = listLimitDefault, affix = 'append', sentAt } = query;
  const name = query.conversationId?.toLowerCase();
  const conversation = name === undefined ? [] : inConversation(service.messages.conversations.named(name));
  const filters = conversation && [...conversation, ...listFilters(query, onBehalfOf)];
  const place: Place = { affix, ...(query.id !== undefined && { id: Number(query.id), sentAt }) };
  const page = filters ? readPage(service, filters, place, limit) : emptyPage(service, place);
  return answer(
    service,
    page,
    { ...query, onBehalfOf },
    {
      current: { limit, count: page.rows.length },
      next: { affix, sentAt: page.edge.sentAt, id: String(page.edge.id) },
      ...(query.count && { unreadCount: filters ? service.messages.count([...filters, unread]) : 0 }),
    },
  );
};

const unread: Filter = { sql: 'read_at IS NULL', values: [] };

function listFilters(query: ListCall['query'], onBehalfOf: string | undefined): Filter[] {
  const { id, sentAt, affix, receiverType } = query;
  const comparison = affix === 'prepend' ? '<' : '>';
  return [
    ...buildFilters(query),
    ...(id === undefined ? given(sentAt, (time) => ({ sql: `sent_at ${comparison} ?`, values: [time] })) : []),
    ...given(receiverType, (value) => ({ sql: 'receiver_type = ?', values: [value] })),
    ...given(query.sender?.toLowerCase(), sentBy),
    ...given(query.hasReactions, (isWanted) => whether(isWanted, hasReactions)),
    ...whereTrue(query.hideDeleted, 'deleted_at IS NULL'),
    ...whereTrue(query.onlyDeleted, 'deleted_at IS NOT NULL'),
    ...given(onBehalfOf, visibleTo),
    ...(onBehalfOf === undefined ? [] : notFromBlocked(query.hideMessagesFromBlockedUsers, onBehalfOf)),
  ];
}

/**
 * With `onBehalfOf`, what the two users wrote to each other; else all that the user sent or received. The newest page comes
 * first, ascending inside the page, and the cursor reads on towards the past; with `append` it is the other way round.
 */
export const listUserMessages: Handler<'listUserMessages'> = (service, { params: { uid }, query, onBehalfOf }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  const perPage = pageSize(query, onBehalfOf);
  const whose = whoseMessages(service, uid, onBehalfOf);
  const filters = whose && [...whose, ...userListFilters(query, onBehalfOf)];
  const { affix = 'prepend', id } = query;
  const place: Place = { affix, id: id === undefined ? undefined : Number(id) };
  const page = filters ? readPage(service, filters, place, perPage) : emptyPage(service, place);
  const { total, before } = filters ? countPages(service, filters, place) : { total: 0, before: 0 };
  const standing = { total, count: page.rows.length, perPage, page: Math.floor(before / perPage) + 1 };
  return answer(
    service,
    page,
    { ...query, onBehalfOf },
    {
      pagination: buildPagination(standing),
      cursor: { id: page.edge.id, affix },
      ...(query.count && { counts: filters ? service.messages.countByPartner(uid, filters) : [] }),
    },
  );
};

/** `limit` is for requests on behalf of a user and has a default of its own. */
function pageSize({ limit, perPage }: UserListCall['query'], onBehalfOf: string | undefined): number {
  return onBehalfOf === undefined ? (perPage ?? perPageDefault) : (limit ?? perPage ?? listLimitDefault);
}

function whoseMessages(service: Service, uid: string, onBehalfOf: string | undefined): Filter[] | undefined {
  if (onBehalfOf === undefined) return [sentOrReceivedBy(uid)];
  return inConversation(
    service.messages.conversations.between({ sender: onBehalfOf, receiver: uid, receiverType: 'user' }),
  );
}

function userListFilters(query: UserListCall['query'], onBehalfOf: string | undefined): Filter[] {
  const isMentioned = query.myMentionsOnly && onBehalfOf !== undefined;
  return [
    ...buildFilters(query),
    ...given(query.sender?.toLowerCase(), sentBy),
    ...whereTrue(query.hasReactions, hasReactions),
    ...whereTrue(query.undelivered, 'delivered_at IS NULL'),
    ...(isMentioned ? [mentionFilter([onBehalfOf])] : []),
  ];
}

/** Returns undefined if no one wrote in it. */
const inConversation = (conversation: Conversation | undefined): Filter[] | undefined =>
  conversation && [{ sql: 'conversation = ?', values: [conversation.number] }];

function answer(service: Service, { rows }: Page, view: View, meta: object) {
  const shown = showMessages(service, rows, { ...view, muids: service.rules.listing.muids });
  return success(`{"data":[${shown.join(',')}],"meta":${JSON.stringify(meta)}}`);
}

/** The same reaction of the same user again changes nothing. */
export const addReaction: Handler<'addReaction'> = (service, { params, onBehalfOf }) => {
  const { messages, reactions } = service;
  const row = messages.get(params.id);
  if (!row || row.deletedAt !== null) {
    return refuse('ERR_MESSAGE_ID_NOT_FOUND', `The message "${params.id}" does not exist`);
  }
  if (messages.count([{ sql: 'id = ?', values: [row.id] }, visibleTo(onBehalfOf)]) === 0) {
    const message = `The user "${onBehalfOf}" takes no part in the conversation of the message "${params.id}"`;
    return refuse('ERR_MESSAGE_NO_ACCESS', message);
  }
  reactions.add(row.id, params.reaction, onBehalfOf);
  return success(`{"data":${showMessages(service, [row], { onBehalfOf, muids: service.rules.listing.muids })[0]}}`);
};

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
