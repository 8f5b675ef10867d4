import { asArray, asId, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { byNumber, groupId, targetOfPeople } from './conversations.ts';
import type { Directory, Target } from './directory.ts';
import {
  systemBots,
  type ZulipAnswer,
  type ZulipChannel,
  type ZulipMember,
  type ZulipMessage,
  type ZulipStream,
  type ZulipUser,
} from './format.ts';
import { emojiOfReaction } from './reactions.ts';
import type { RowReading } from './row-reading.ts';

type Row = Untrusted<ZulipMessage>;

/** A message with the names of the export, and as the answer has it. */
interface AnsweredRow extends Row {
  readonly answer: Untrusted<ZulipAnswer>;
}

export const answerOf = (row: Row): Untrusted<ZulipAnswer> => (row as AnsweredRow).answer;

/**
 * Reads messages of `GET /api/v1/messages`.
 *
 * @param workspace `string_id` of the organisation.
 */
export function answerReading(directory: Directory, workspace: string | undefined): RowReading {
  return {
    toRow(value) {
      const answer = asObject<ZulipAnswer>(value);
      return answer && asRow(answer);
    },
    targetOf: (row) => findTarget(answerOf(row)),
    whyNoTarget(row) {
      const { type, stream_id: stream, display_recipient: people } = answerOf(row);
      return `Expected "stream_id", or people with ids in "display_recipient", found ${describe(stream)} and ${describe(people)} in a message of type ${describe(type)}`;
    },
    systemOf(row, author) {
      if (directory.nameOf(author) !== undefined) return directory.systemBot(author);
      // Another account may have such an address: the system's accounts are of an organisation of their own.
      const { sender_email: email, sender_realm_str: realm } = answerOf(row);
      const handle = asString(email)?.split('@', 1)[0];
      const isElsewhere = typeof realm === 'string' && realm !== (workspace ?? '');
      return isElsewhere && handle !== undefined && systemBots.has(handle) ? handle : undefined;
    },
    reactionsOf: (row) => readReactions(answerOf(row).reactions),
  };
}

function asRow(answer: Untrusted<ZulipAnswer>): AnsweredRow {
  const isHtml = answer.content_type === 'text/html';
  return {
    id: answer.id,
    sender: answer.sender_id,
    recipient: answer.recipient_id,
    subject: answer.subject,
    ...(isHtml ? { rendered_content: answer.content } : { content: answer.content }),
    date_sent: answer.timestamp,
    last_edit_time: answer.last_edit_timestamp,
    edit_history: answer.edit_history,
    answer,
  };
}

/** Everybody whose message it is; undefined if one of them is unknown: the wrong people could read it. */
export function listPeople({ type, display_recipient: people }: Untrusted<ZulipAnswer>): readonly string[] | undefined {
  if ((type !== 'private' && type !== 'direct') || !Array.isArray(people) || people.length === 0) return undefined;
  const ids = people.map((one) => asId(asObject<{ id: unknown }>(one)?.id));
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].sort(byNumber) : undefined;
}

function findTarget(answer: Untrusted<ZulipAnswer>): Target | undefined {
  const stream = asId(answer.stream_id);
  if (answer.type === 'stream' || answer.type === 'channel')
    return stream === undefined ? undefined : { conversation: `stream-${stream}`, stream };
  const [people, recipient] = [listPeople(answer), asId(answer.recipient_id)];
  if (people === undefined || stream !== undefined) return undefined;
  if (people.length <= 2) return { conversation: targetOfPeople(people[0]!, people.at(-1)!) };
  return recipient === undefined ? undefined : { conversation: groupId(recipient) };
}

function readReactions(value: unknown): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  const list = asArray(value);
  if (list.length === 0) return undefined;
  const found = new Map<string, Set<string>>();
  for (const one of list) {
    const { emoji, user } = readReaction(one);
    if (emoji === undefined || user === undefined) continue;
    const users = found.get(emoji);
    if (users) users.add(user);
    else found.set(emoji, new Set([user]));
  }
  return found.size > 0 ? found : undefined;
}

function readReaction(value: unknown): { readonly emoji: string | undefined; readonly user: string | undefined } {
  const row = asObject<ZulipAnswer['reactions'][number]>(value) ?? {};
  return { emoji: emojiOfReaction(row), user: asId(row.user_id) ?? asId(asObject<{ id: unknown }>(row.user)?.id) };
}

/** Whether all reactions of a message say who gave them, and with what. */
export const hasBadReactions = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  (!Array.isArray(value) ||
    value.map(readReaction).some(({ emoji, user }) => emoji === undefined || user === undefined));

/** A person with the names of the export. */
export function readUserRow(member: Untrusted<ZulipMember>): Untrusted<ZulipUser> {
  const joinedMs = Date.parse(asString(member.date_joined) ?? '');
  const avatar = asString(member.avatar_url);
  return {
    id: member.user_id,
    email: member.email,
    delivery_email: member.delivery_email,
    full_name: member.full_name,
    is_active: member.is_active,
    is_bot: member.is_bot,
    is_mirror_dummy: member.is_imported_stub,
    // Servers before Zulip 4 have no role.
    role: member.role ?? (member.is_owner === true ? 100 : undefined),
    is_realm_admin: member.is_admin,
    is_guest: member.is_guest,
    ...(!Number.isNaN(joinedMs) && { date_joined: joinedMs / 1000 }),
    avatar_source: avatar?.includes('/user_avatars/') === true ? 'U' : 'G',
    timezone: member.timezone,
    bot_owner: member.bot_owner_id,
  };
}

/** A stream with the names of the export. */
export function readStreamRow(channel: Untrusted<ZulipChannel>): Untrusted<ZulipStream> {
  return {
    id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    invite_only: channel.invite_only,
    deactivated: channel.is_archived,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    stream_post_policy: channel.stream_post_policy,
    message_retention_days: channel.message_retention_days,
    date_created: channel.date_created,
    creator: channel.creator_id,
    can_administer_channel_group: channel.can_administer_channel_group,
  };
}
