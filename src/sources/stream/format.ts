import { createHash } from 'node:crypto';
import { asId, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { timeReader } from '../kit/time/time-reading.ts';

/**
 * Stream Chat (GetStream). Three shapes: imports, v1 as one array and v2 as lines, `{"type": T, "item": {…}}` or
 * `"data"`; and exports of channels, v1 as one object for each, `{"channel": {…}, "messages": […], "members": […]}`, v2
 * as lines of one entity each.
 *
 * https://getstream.io/chat/docs/node/exporting_channels/, https://getstream.io/cli/docs/commands/import/, the page
 * "imports" of stream-cli and `jsonschemas/chat` of GetStream/protocol (looked at 2026-11).
 *
 * Undocumented: exports have whole people where imports have their ids; of reactions the latest ten, and their number;
 * times in nanoseconds; the id of a channel of certain people is a hash of its members; how a line of v2 is wrapped.
 *
 * {"type":"message","item":{"id":"m1","channel_type":"messaging","channel_id":"harbour","user":"ines","text":"Hi","created_at":"2026-03-02T09:00:00Z"}}
 */
export interface StreamUser {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly role: string;
  readonly created_at: string;
  readonly deactivated_at: string;
  readonly deleted_at: string;
  readonly blocked_user_ids: readonly string[];
  readonly channel_mutes: readonly string[];
  readonly user_mutes: readonly string[];
  readonly teams: readonly string[];
}

export interface StreamChannel {
  readonly id: string;
  /** messaging, livestream, team, gaming, commerce, or one of the app's own. */
  readonly type: string;
  readonly cid: string;
  /** Instead of an id: the channel of these people. */
  readonly member_ids: readonly string[];
  readonly members: readonly StreamMember[];
  readonly name: string;
  readonly image: string;
  readonly description: string;
  readonly topic: string;
  readonly team: string;
  /** An id, or the whole person. */
  readonly created_by: unknown;
  readonly created_at: string;
  readonly deleted_at: string;
  /** Ids, or whole people. */
  readonly banned_users: readonly unknown[];
  readonly frozen: boolean;
  readonly disabled: boolean;
}

export interface StreamMember {
  readonly channel_type: string;
  readonly channel_id: string;
  readonly channel_member_ids: readonly string[];
  readonly user_id: string;
  readonly user: StreamUser;
  readonly created_at: unknown;
  /** channel_member, channel_moderator, or a role of the app's own. */
  readonly channel_role: string;
  /** member, moderator, admin, owner: in the first API. */
  readonly role: string;
  readonly is_moderator: boolean;
  readonly banned: boolean;
}

export interface StreamMessage {
  /** Unique in the whole app, across channels. */
  readonly id: string;
  readonly cid: string;
  readonly channel_type: string;
  readonly channel_id: string;
  readonly channel_member_ids: readonly string[];
  /** An id, or the whole person. */
  readonly user: unknown;
  /** Markdown. `html` repeats it. */
  readonly text: string;
  /** regular, reply, deleted, system, error, ephemeral. */
  readonly type: string;
  readonly created_at: string;
  /** Also updated by reactions and pins. */
  readonly updated_at: string;
  readonly message_text_updated_at: string;
  readonly deleted_at: string;
  readonly parent_id: string;
  readonly show_in_channel: boolean;
  readonly quoted_message_id: string;
  readonly quoted_message: { readonly id: string };
  readonly mentioned_users_ids: readonly string[];
  readonly mentioned_users: readonly StreamUser[];
  readonly attachments: readonly StreamAttachment[];
  readonly latest_reactions: readonly StreamReaction[];
  readonly reaction_counts: Readonly<Record<string, number>>;
  readonly reaction_groups: Readonly<Record<string, { readonly count: number }>>;
  readonly pinned: boolean;
  readonly pinned_at: string;
  readonly pinned_by_id: string;
  readonly pin_expires: string;
  readonly poll_id: string;
  readonly poll: StreamPoll;
  readonly shared_location: { readonly latitude: number; readonly longitude: number };
  readonly restricted_visibility: readonly string[];
}

export interface StreamAttachment {
  /** image, file, video, audio, voiceRecording, giphy, or one of the app's own. */
  readonly type: string;
  readonly image_url: string;
  readonly asset_url: string;
  readonly thumb_url: string;
  /** For the preview of a page that the text links to. */
  readonly og_scrape_url: string;
  readonly title: string;
  readonly fallback: string;
  readonly mime_type: string;
  readonly actions: readonly unknown[];
  readonly file_size: number;
}

export interface StreamReaction {
  readonly message_id: string;
  readonly type: string;
  readonly user_id: string;
  readonly user: StreamUser;
  readonly created_at: string;
  readonly score: number;
}

export interface StreamPoll {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly id: string; readonly text: string }[];
  readonly vote_counts_by_option: Readonly<Record<string, number>>;
}

export interface StreamVote {
  readonly poll_id: string;
  readonly option_id: string;
}

export type Kind = 'user' | 'channel' | 'member' | 'message' | 'reaction' | 'device' | 'poll' | 'poll_vote' | 'ban';

const kinds: Readonly<Record<string, Kind>> = {
  user: 'user',
  channel: 'channel',
  member: 'member',
  channel_member: 'member',
  message: 'message',
  reaction: 'reaction',
  device: 'device',
  poll: 'poll',
  poll_vote: 'poll_vote',
  future_channel_ban: 'ban',
};

export interface Item {
  readonly kind: Kind | undefined;
  readonly item: Untrusted<Record<string, unknown>>;
}

/** Returns the content of a line, or of an element of the array: wrapped by its type, by a key, or not at all. */
export function itemIn(row: Untrusted<Record<string, unknown>>): Item {
  const inner = asObject<Record<string, unknown>>(row.item) ?? asObject<Record<string, unknown>>(row.data);
  const type = asString(row.type) ?? '';
  if (inner) return { kind: Object.hasOwn(kinds, type) ? kinds[type] : undefined, item: inner };
  if (row.cid !== undefined && (row.text !== undefined || row.html !== undefined))
    return { kind: 'message', item: row };
  for (const key of ['message', 'channel', 'member', 'reaction', 'user'] as const) {
    const wrapped = row.id === undefined ? asObject<Record<string, unknown>>(row[key]) : undefined;
    if (wrapped && row.user_id === undefined) return { kind: key, item: wrapped };
  }
  if (row.cid !== undefined) return { kind: 'channel', item: row };
  if (row.user_id !== undefined && row.message_id !== undefined) return { kind: 'reaction', item: row };
  if (row.user_id !== undefined) return { kind: 'member', item: row };
  return { kind: row.id !== undefined && row.role !== undefined ? 'user' : undefined, item: row };
}

/** `messaging:harbour`. A channel of certain people is called by a hash of their ids. */
export function makeCid(type: unknown, id: unknown, memberIds: unknown): string | undefined {
  if (asString(type) === undefined) return undefined;
  const own = asString(id);
  if (own !== undefined) return `${type as string}:${own}`;
  const members = asStrings(memberIds);
  if (members.length === 0) return undefined;
  return `${type as string}:!members-${createHash('sha512-256').update(members.sort().join(',')).digest('base64url')}`;
}

/** Returns the channel of a message or a member; exports have it only in the channel around it. */
export const cidIn = (item: Untrusted<StreamMessage>): string | undefined =>
  makeCid(item.channel_type, item.channel_id, item.channel_member_ids) ?? asString(item.cid);

/** Imports have the id where exports have the whole person. */
export const readUserId = (value: unknown): string | undefined => asId(value) ?? asId(asObject<StreamUser>(value)?.id);

/** Epoch milliseconds and what is finer, of RFC 3339. */
export const streamTime = timeReader('iso', 'UTC');
export const msOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? streamTime(value)?.atMs : undefined;

/** Fields of the app's own: whatever has none of Stream's names. */
export function readCustom(item: object, known: ReadonlySet<string>): Record<string, never> {
  const custom: Record<string, unknown> = {};
  for (const key in item) {
    const value = (item as Record<string, unknown>)[key];
    const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!known.has(key) && !isNothing) custom[key] = value;
  }
  return custom as Record<string, never>;
}

export const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
