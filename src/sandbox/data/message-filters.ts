import type { z } from 'zod';
import type { Operations } from '../../service/operations.ts';

/** A condition on messages and the values for its question marks. */
export interface Filter {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type FilterQuery = Omit<z.output<Operations['listMessages']['query']>, 'category'> & {
  readonly category?: string | undefined;
};

/** One filter per parameter that is given. Times include their bounds, of several tags one is enough; neither is documented. */
export function buildFilters(query: FilterQuery): Filter[] {
  return [
    ...timeFilters(query),
    ...kindFilters(query),
    ...textFilters(query),
    ...attachmentFilters(query),
    ...given(query.tags, (tags) => ({
      sql: `(tags IS NOT NULL
        AND EXISTS (SELECT 1 FROM json_each(tags) AS tag JOIN json_each(?) AS wanted ON tag.value = wanted.value))`,
      values: [JSON.stringify(tags)],
    })),
    ...whereTrue(query.hideReplies, 'parent IS NULL'),
    ...whereTrue(query.unread, 'read_at IS NULL'),
  ];
}

/** Returns no filter if the parameter is not given. */
export function given<T>(value: T | undefined, filter: (value: T) => Filter): Filter[] {
  return value === undefined ? [] : [filter(value)];
}

/** Returns no filter if the parameter is false or not given. */
export function whereTrue(value: boolean | undefined, sql: string, values: Filter['values'] = []): Filter[] {
  return value ? [{ sql, values }] : [];
}

/** The condition, or its contrary. */
export const whether = (isWanted: boolean, sql: string): Filter => ({
  sql: isWanted ? `(${sql})` : `NOT (${sql})`,
  values: [],
});

/** `toTimestamp` is ignored without `fromTimestamp`. */
function timeFilters({ fromTimestamp, toTimestamp }: FilterQuery): Filter[] {
  if (fromTimestamp === undefined) return [];
  return [
    { sql: 'sent_at >= ?', values: [fromTimestamp] },
    ...given(toTimestamp, (to) => ({ sql: 'sent_at <= ?', values: [to] })),
  ];
}

function kindFilters({ category, categories, type, types }: FilterQuery): Filter[] {
  return [
    ...given(category, (value) => ({ sql: 'category = ?', values: [value] })),
    ...given(categories, (values) => columnIn('category', values)),
    ...given(type, (value) => ({ sql: 'type = ?', values: [value] })),
    ...given(types, (values) => columnIn('type', values)),
  ];
}

const columnIn = (column: string, values: readonly string[]): Filter => ({
  sql: `${column} IN (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(values)],
});

/** Upper and lower case of ASCII letters are the same. */
const text = `lower(coalesce(data ->> '$.text', ''))`;

/** Examines texts only if the JSON around them may hold a mention: few do, and taking the text out takes longer. */
const whereMentioning = (sql: string): string => `CASE WHEN instr(data, '<@uid:') > 0 THEN ${sql} ELSE 0 END`;

/** A link as people write one: with its scheme, or with `www.` before it. */
const link = /\bhttps?:\/\/[^\s<>"]|\bwww\.[^\s<>".]/i;

export const hasLink = (text: string): boolean => link.test(text);

function textFilters({ searchKey, hasLinks, hasMentions, mentionedUids }: FilterQuery): Filter[] {
  return [
    ...given(hasLinks, (isWanted) => whether(isWanted, `has_link(${text})`)),
    ...given(searchKey, (wanted) => ({ sql: `instr(${text}, lower(?)) > 0`, values: [wanted] })),
    ...given(hasMentions, (isWanted) => whether(isWanted, whereMentioning(`has_mention(${text})`))),
    ...given(mentionedUids, (uids) => mentionFilter(uids.split(','))),
  ];
}

export const mentionFilter = (uids: readonly string[]): Filter => ({
  sql: whereMentioning(`EXISTS (SELECT 1 FROM json_each(?) AS uid WHERE instr(${text}, uid.value) > 0)`),
  values: [JSON.stringify(uids.map((uid) => `<@uid:${uid.trim().toLowerCase()}>`))],
});

/** Kind of an attachment, by its MIME type; if it has none, by the type of the message. (`json_each` has a `type` too.) */
const attachmentKind = `CASE
  WHEN attachment.value ->> '$.mimeType' IS NULL AND message.type IN ('image', 'video', 'audio') THEN message.type
  WHEN attachment.value ->> '$.mimeType' LIKE 'image/%' THEN 'image'
  WHEN attachment.value ->> '$.mimeType' LIKE 'video/%' THEN 'video'
  WHEN attachment.value ->> '$.mimeType' LIKE 'audio/%' THEN 'audio'
  ELSE 'file' END`;

function attachmentFilters({ hasAttachments, attachmentTypes }: FilterQuery): Filter[] {
  return [
    ...given(hasAttachments, (isWanted) =>
      whether(isWanted, `coalesce(json_array_length(data, '$.attachments'), 0) > 0`),
    ),
    ...given(attachmentTypes, (kind) => ({
      sql: `EXISTS (SELECT 1 FROM json_each(data, '$.attachments') AS attachment WHERE ${attachmentKind} = ?)`,
      values: [kind],
    })),
  ];
}

/** How a text names a user: `<@uid:ann>` (mentions page of the hosted service, 2026-11). */
const mention = /<@uid:([A-Za-z0-9_-]{1,100})>/g;

export const hasMention = (text: string): boolean => text.search(mention) >= 0;

/** The uids that a text mentions, in lower case, each once, in order; the first 1,000. */
export function mentionedUids(text: string): string[] {
  const uids = new Set<string>();
  for (const [, uid = ''] of text.matchAll(mention)) {
    if (uids.size >= 1000) break;
    uids.add(uid.toLowerCase());
  }
  return [...uids];
}

/** Finds the messages fast: who took part in which conversation is a small table. */
const inOwnConversations = `conversation IN (
  SELECT conversation FROM participant WHERE uid = ?
  UNION SELECT conversation.id FROM group_member JOIN conversation ON conversation.sides = '#' || guid WHERE uid = ?)`;

const inOwnGroups = `receiver_type = 'group' AND receiver IN (SELECT guid FROM group_member WHERE uid = ?)`;

/** Messages of the user's own conversations: direct ones, and groups that it is a member of. */
export const visibleTo = (uid: string): Filter => ({
  sql: `${inOwnConversations} AND (receiver_type = 'user' AND ? IN (sender, receiver) OR ${inOwnGroups})`,
  values: [uid, uid, uid, uid],
});

/** Messages that the user sent, wherever, or received. */
export const sentOrReceivedBy = (uid: string): Filter => ({
  sql: `${inOwnConversations} AND (sender = ? OR receiver_type = 'user' AND receiver = ? OR ${inOwnGroups})`,
  values: [uid, uid, uid, uid, uid],
});

export const sentBy = (uid: string): Filter => ({
  sql: 'conversation IN (SELECT conversation FROM participant WHERE uid = ?) AND sender = ?',
  values: [uid, uid],
});

/** Leaves out the messages of people whom the user has blocked. */
export const notFromBlocked = (isWanted: boolean | undefined, uid: string): Filter[] =>
  whereTrue(isWanted, 'sender NOT IN (SELECT blocked FROM block WHERE uid = ?)', [uid]);
