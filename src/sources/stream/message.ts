import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Json, Reaction } from '../../model/records.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asObject, asString, asStrings, asWord, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
import { pollText } from '../kit/text/poll-text.ts';
import { attachedTo } from './attachments.ts';
import {
  cidIn,
  readCustom,
  msOf,
  type StreamMessage,
  type StreamPoll,
  type StreamReaction,
  streamTime,
  readUserId,
} from './format.ts';

type Message = Untrusted<StreamMessage>;

/** Context of the file that a message needs. */
export interface MessagePlace {
  readonly workspace: string;
  /** For an export: the channel that contains its messages. */
  readonly cid: string | undefined;
  /** When messages without a time were sent; undefined: they are none. */
  readonly createdAtMs: number | undefined;
  /** @param nanoseconds What is finer than the millisecond. */
  sortKey(nanoseconds: number): string;
  /** An id for a message without one. */
  makeId(message: Message): string;
  /**
   * Describes a person of whom the message has a whole object.
   *
   * @returns the id.
   */
  see(person: unknown): string | undefined;
  /** Reactions in rows of their own. */
  reactionsOf(id: string): readonly (readonly [type: string, user: string])[];
  pollOf(id: string): Untrusted<StreamPoll> | undefined;
}

const known: ReadonlySet<string> = new Set(
  `id cid channel channel_id channel_type channel_member_ids user user_id text html type created_at updated_at deleted_at
  message_text_updated_at parent_id show_in_channel reply_count deleted_reply_count thread_participants quoted_message_id quoted_message
  mentioned_users_ids mentioned_users mentioned_here mentioned_channel mentioned_roles mentioned_group_ids attachments latest_reactions
  own_reactions reaction_counts reaction_scores reaction_groups pinned pinned_at pinned_by pinned_by_id pin_expires silent shadowed mml poll
  poll_id shared_location restricted_visibility deleted_for_me`.split(/\s+/),
);

/** A row as a message, or why it is none. */
export function readMessage(row: Message, place: MessagePlace): NewMessage | RowProblem {
  const cid = cidIn(row) ?? place.cid;
  if (cid === undefined) {
    return {
      code: 'stream-no-channel',
      reason: 'Expected "channel_type" with "channel_id" or "channel_member_ids", or "cid"',
    };
  }
  const time = typeof row.created_at === 'string' ? streamTime(row.created_at) : undefined;
  const sentAtMs = time?.atMs ?? (row.created_at === undefined ? place.createdAtMs : undefined);
  if (sentAtMs === undefined) {
    const code = row.created_at === undefined ? 'stream-no-time' : 'stream-bad-time';
    return fieldProblem(code, '"created_at" such as 2026-03-02T09:00:00Z', row.created_at);
  }
  const { lost, lose } = countLost();
  const { files, text } = attachedTo(row.attachments, lose);
  const own = typeof row.text === 'string' ? row.text : '';
  const below = row.poll_id || row.poll || row.shared_location ? writeBelow(row, place) : '';
  const id = asString(row.id) ?? place.makeId(row);
  const threadRoot = asString(row.parent_id);
  const isDeleted = row.type === 'deleted' || msOf(row.deleted_at) !== undefined;
  const editedAtMs = msOf(row.message_text_updated_at);
  return newMessage({
    origin: { source: 'stream', workspace: place.workspace, conversation: cid, id },
    sortKey: place.sortKey(time?.nanoseconds ?? 0),
    sentAtMs,
    text: text === '' && below === '' ? own : [own, below, text].filter(Boolean).join('\n\n'),
    author: place.see(row.user) ?? readUserId((row as { user_id?: unknown }).user_id),
    mentions: readMentions(row, place),
    attachments: files,
    reactions: readReactions(row, id, place),
    threadRoot,
    isBroadcast: threadRoot !== undefined && row.show_in_channel === true,
    quoteOf: asString(row.quoted_message_id) ?? asString(asObject<{ id: string }>(row.quoted_message)?.id),
    edited: editedAtMs === undefined || isDeleted ? undefined : { atMs: editedAtMs },
    version: { changedAtMs: row.updated_at === row.created_at ? undefined : msOf(row.updated_at) },
    isDeleted,
    systemEvent: systemTypes.has(row.type) ? (row.type as string) : undefined,
    isPinned: row.pinned === true || msOf(row.pinned_at) !== undefined,
    custom: customOf(row),
    lost,
  });
}

function readMentions(row: Message, place: MessagePlace): readonly string[] {
  const people = asArray(row.mentioned_users).flatMap((person) => place.see(person) ?? []);
  const ids = asStrings(row.mentioned_users_ids);
  return people.length === 0 ? ids : [...new Set([...people, ...ids])];
}

/** Types of rows that no person wrote, or that only one person saw. */
const systemTypes: ReadonlySet<unknown> = new Set(['system', 'error', 'ephemeral']);

/** Names that every app has, and what they show: https://getstream.io/chat/docs/react/reactions/ (2026-11). */
const emojiOfTypes: Readonly<Record<string, string>> = {
  like: '👍',
  love: '❤️',
  haha: '😂',
  wow: '😮',
  sad: '😢',
  angry: '😠',
};

const showEmoji = (type: string): string => {
  if (Object.hasOwn(emojiOfTypes, type)) return emojiOfTypes[type]!;
  return /^[\w+:.-]+$/.test(type) ? shownEmoji(type) : type;
};

/** An export has the latest ten with their authors, and their number; an import has one row for each. */
function readReactions(row: Message, id: string, place: MessagePlace): readonly Reaction[] | undefined {
  const own = place.reactionsOf(id);
  if (own.length === 0 && !row.latest_reactions && !row.reaction_counts && !row.reaction_groups) return undefined;
  const users = new Map<string, Set<string>>();
  const add = (type: string, user: string | undefined) => {
    const known = users.get(type) ?? new Set<string>();
    users.set(type, known);
    if (user !== undefined) known.add(user);
  };
  for (const value of asArray(row.latest_reactions)) {
    const { type, user, user_id } = asObject<StreamReaction>(value) ?? {};
    if (asString(type) !== undefined) add(type as string, place.see(user) ?? readUserId(user_id));
  }
  for (const [type, user] of own) add(type, user);
  const counts = readCounts(row);
  for (const type of counts.keys()) add(type, undefined);
  const reactions = [...users].map(([type, who]): Reaction => {
    const count = counts.get(type) ?? 0;
    return { emoji: showEmoji(type), users: [...who], count: Math.max(count, who.size) };
  });
  return reactions.filter(({ count }) => count > 0);
}

/** By type; newer exports have groups alone. */
function readCounts({ reaction_counts, reaction_groups }: Message): ReadonlyMap<string, number> {
  const groups = Object.entries(asObject<StreamMessage['reaction_groups']>(reaction_groups) ?? {});
  const counts = Object.entries(asObject<StreamMessage['reaction_counts']>(reaction_counts) ?? {});
  const all = [...groups.map(([type, group]) => [type, asObject<{ count: number }>(group)?.count] as const), ...counts];
  return new Map(all.flatMap(([type, count]) => (asCount(count) ? [[type, count as number]] : [])));
}

function customOf(row: Message): Record<string, Json> {
  const custom = readCustom(row, known);
  const isShadowed = (row as { shadowed?: unknown }).shadowed === true;
  // The author alone saw a shadowed message.
  const isPrivate = isShadowed || asArray(row.restricted_visibility).length > 0 || row.type === 'ephemeral';
  return { ...custom, ...(isShadowed && { shadowed: true }), ...(isPrivate && { restricted: true }) };
}

function writeBelow(row: Message, place: MessagePlace): string {
  const { latitude, longitude } = asObject<StreamMessage['shared_location']>(row.shared_location) ?? {};
  const where =
    typeof latitude === 'number' && typeof longitude === 'number' ? `Location: (${latitude}, ${longitude})` : '';
  const poll = asObject<StreamPoll>(row.poll) ?? place.pollOf(asString(row.poll_id) ?? '');
  return [poll && textOfPoll(poll), where].filter(Boolean).join('\n\n');
}

function textOfPoll({ name, description, options, vote_counts_by_option }: Untrusted<StreamPoll>): string {
  const counts = asObject<Record<string, number>>(vote_counts_by_option) ?? {};
  const answers = asArray(options).map((value) => {
    const { id, text } = asObject<StreamPoll['options'][number]>(value) ?? {};
    return { text, votes: asCount(counts[asWord(id)]) };
  });
  return pollText({ question: asString(name), description: asString(description), options: answers });
}
