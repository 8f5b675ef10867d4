import type { ListQuery } from './list-query.ts';

/** A condition on messages and the values for its question marks. */
export interface Filter {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** One filter per parameter that is given. Times include their bounds, of several tags one is enough; neither is documented. */
export function filtersOf(
  query: ListQuery,
  conversation: number | undefined,
  onBehalfOf: string | undefined,
): Filter[] {
  return [
    when(conversation, (number) => ({ sql: 'conversation = ?', values: [number] })),
    cursorFilter(query),
    ...timeFilters(query),
    ...kindFilters(query),
    when(query.sender, (sender) => ({ sql: 'sender = ?', values: [sender.toLowerCase()] })),
    when(query.tags, (tags) => ({
      sql: 'EXISTS (SELECT 1 FROM json_each(tags) AS tag JOIN json_each(?) AS wanted ON tag.value = wanted.value)',
      values: [JSON.stringify(tags)],
    })),
    when(query.searchKey, (text) => ({
      sql: `instr(lower(data ->> '$.text'), lower(?)) > 0`,
      values: [text],
    })),
    when(query.hasAttachments, (isWanted) => ({
      sql: `coalesce(json_array_length(data, '$.attachments'), 0) ${isWanted ? '> 0' : '= 0'}`,
      values: [],
    })),
    when(onBehalfOf, visibleTo),
  ].filter((filter) => filter !== undefined);
}

function when<T>(value: T | undefined, filter: (value: T) => Filter): Filter | undefined {
  return value === undefined ? undefined : filter(value);
}

function cursorFilter({ affix, id, sentAt }: ListQuery): Filter | undefined {
  const comparison = affix === 'prepend' ? '<' : '>';
  if (id !== undefined) return { sql: `id ${comparison} ?`, values: [Number(id)] };
  return when(sentAt, (seconds) => ({ sql: `sent_at ${comparison} ?`, values: [seconds] }));
}

/** `toTimestamp` is ignored without `fromTimestamp`. */
function timeFilters({ fromTimestamp, toTimestamp }: ListQuery): (Filter | undefined)[] {
  if (fromTimestamp === undefined) return [];
  return [
    { sql: 'sent_at >= ?', values: [fromTimestamp] },
    when(toTimestamp, (to) => ({ sql: 'sent_at <= ?', values: [to] })),
  ];
}

function kindFilters({ receiverType, category, categories, type, types }: ListQuery): (Filter | undefined)[] {
  return [
    when(receiverType, (value) => ({ sql: 'receiver_type = ?', values: [value] })),
    when(category, (value) => ({ sql: 'category = ?', values: [value] })),
    when(categories, (values) => oneOf('category', values)),
    when(type, (value) => ({ sql: 'type = ?', values: [value] })),
    when(types, (values) => oneOf('type', values)),
  ];
}

function oneOf(column: string, values: readonly string[]): Filter {
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] };
}

/** Messages of the user's own conversations: direct ones, and groups that it is a member of. */
function visibleTo(uid: string): Filter {
  return {
    sql: `(CASE receiver_type WHEN 'user' THEN ? IN (sender, receiver)
      ELSE EXISTS (SELECT 1 FROM group_member WHERE guid = receiver AND uid = ?) END)`,
    values: [uid, uid],
  };
}
