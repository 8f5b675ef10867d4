import { type MemberLists, Members } from '../../model/members.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { Described } from '../kit/described.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import {
  makeCid,
  readCustom,
  isEmpty,
  msOf,
  type StreamChannel,
  type StreamMember,
  type StreamUser,
  readUserId,
} from './format.ts';

const knownOfPeople: ReadonlySet<string> = new Set(
  `id name image role created_at updated_at deactivated_at deleted_at last_active last_engaged_at online invisible banned shadow_banned ban_expires devices
  blocked_user_ids channel_mutes user_mutes mutes push_notifications push_preferences privacy_settings total_unread_count unread_channels
  unread_count unread_threads teams_role revoke_tokens_issued_before bypass_moderation avg_response_time`.split(/\s+/),
);

const knownOfChannels: ReadonlySet<string> = new Set(
  `id type cid name image description topic created_by created_by_id created_at updated_at deleted_at truncated_at last_message_at
  member_ids members member_count message_count frozen disabled config own_capabilities banned_users auto_translation_enabled auto_translation_language read watchers`.split(
    /\s+/,
  ),
);

/** Details of people that have no field, with their names in reports. */
const details: readonly (readonly [key: string, what: string])[] = [
  ['channel_mutes', 'muted channels'],
  ['user_mutes', 'muted people'],
  ['mutes', 'muted people'],
  ['push_notifications', 'settings of notifications'],
  ['push_preferences', 'settings of notifications'],
  ['privacy_settings', 'settings of privacy'],
  ['devices', 'devices'],
  ['banned', 'bans from the whole app'],
  ['shadow_banned', 'bans that the banned do not see'],
  ['teams_role', 'roles in teams'],
  ['last_active', 'times of the last visit'],
];

/**
 * The people and channels of one file. In memory: some 40 bytes for each name, the channels, a reference for each membership.
 */
export class Directory {
  readonly #names = new PackedMap();
  readonly #described = new Described();
  readonly #channels = new Map<string, { readonly channel: Untrusted<StreamChannel>; readonly location: Location }>();
  readonly #members = new Members();
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  nameOf = (id: string): string | undefined => this.#names.get(id);

  hasChannel = (cid: string): boolean => this.#channels.has(cid);

  /**
   * Adds a person. In an export every message contains its person; a person with new data is described again.
   *
   * @returns the id.
   */
  addPerson(value: unknown, location: Location, into: Entry[]): string | undefined {
    const user = asObject<StreamUser>(value);
    const id = readUserId(value) ?? idByName('name', asString(user?.name));
    if (user === undefined || id === undefined) return id;
    const record = readUser(id, user);
    const before = this.#described.add(record);
    if (before === 'same') return id;
    this.#names.set(id, record.name);
    into.push(recordEntry(record, location));
    if (before === 'changed') return id;
    for (const to of asStrings(user.blocked_user_ids))
      into.push(recordEntry({ kind: 'relation', type: 'block', from: id, to }, location));
    for (const [key, what] of details)
      if (isSaid((user as Record<string, unknown>)[key])) this.#counts.add('profile-detail-not-migrated', what);
    return id;
  }

  addChannel(channel: Untrusted<StreamChannel>, location: Location, into: Entry[]): string | undefined {
    const cid = asString(channel.cid) ?? makeCid(channel.type, channel.id, channel.member_ids);
    if (cid === undefined) {
      into.push(
        problemEntry('conversation-without-id', 'A channel without "type", or without "id" and "member_ids"', location),
      );
      return undefined;
    }
    this.#channels.set(cid, { channel, location });
    this.addPerson(channel.created_by, location, into);
    for (const id of asStrings(channel.member_ids)) this.#members.add(cid, id);
    // Both people of a channel of two stay in it.
    const banned = isOfPeople(cid) ? [] : asArray(channel.banned_users);
    for (const person of banned) {
      const id = this.addPerson(person, location, into);
      if (id !== undefined) this.#members.add(cid, id, { isBanned: true });
    }
    for (const member of asArray(channel.members))
      this.addMember(asObject<StreamMember>(member) ?? {}, cid, location, into);
    return cid;
  }

  addMember(member: Untrusted<StreamMember>, cid: string | undefined, location: Location, into: Entry[]): void {
    const id = this.addPerson(member.user, location, into) ?? readUserId(member.user_id);
    if (cid === undefined || id === undefined) return;
    const { role, channel_role, is_moderator, created_at, banned } = member;
    const isAdmin = role === 'owner' || role === 'admin';
    const isModerator = channel_role === 'channel_moderator' || role === 'moderator' || is_moderator === true;
    this.#members.add(cid, id, {
      scope: isAdmin ? 'admin' : isModerator ? 'moderator' : undefined,
      joinedAtMs: msOf(created_at),
      ...(banned === true && !isOfPeople(cid) && { isBanned: true }),
    });
    for (const [key, what] of memberDetails)
      if (isSaid((member as Record<string, unknown>)[key])) this.#counts.add('stream-not-migrated', what);
  }

  /** Every channel with who is in it. */
  describeChannels(into: Entry[]): void {
    for (const [cid, { channel, location }] of this.#channels)
      into.push(recordEntry(readConversation(cid, channel, this.#members.of(cid)), location));
  }
}

const isOfPeople = (cid: string): boolean => cid.includes(':!members-');

const memberDetails: readonly (readonly [key: string, what: string])[] = [
  ['last_read', 'read positions'],
  ['archived_at', 'archived channels of people'],
  ['pinned_at', 'pinned channels of people'],
  ['hide_channel', 'hidden channels of people'],
  ['ban_expires', 'ends of bans'],
  ['shadow_banned', 'bans that the banned do not see'],
];

/** Whether a setting is more than none. */
function isSaid(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return !isEmpty(value);
  return value !== undefined && value !== null && value !== false && value !== '';
}

const roles: Readonly<Record<string, NonNullable<UserRecord['role']>>> = {
  admin: 'admin',
  global_admin: 'admin',
  guest: 'guest',
  anonymous: 'guest',
};

function readUser(id: string, user: Untrusted<StreamUser>): UserRecord {
  const role = asString(user.role);
  const isGone = msOf(user.deactivated_at) !== undefined || msOf(user.deleted_at) !== undefined;
  const ownRole = role !== 'user' && !Object.hasOwn(roles, role ?? '') ? role : undefined;
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(user.name) ?? id,
    avatarUrl: asString(user.image),
    role: (role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined) ?? 'member',
    ...(isGone && { isDeleted: true }),
    createdAtMs: msOf(user.created_at),
    metadata: facts({ ...readCustom(user, knownOfPeople), role: ownRole }),
  });
}

function readConversation(cid: string, channel: Untrusted<StreamChannel>, lists: MemberLists): ConversationRecord {
  const type = cid.slice(0, cid.indexOf(':'));
  return compact<ConversationRecord>({
    kind: 'conversation',
    id: cid,
    type: !isOfPeople(cid)
      ? type === 'livestream'
        ? 'public'
        : 'private'
      : lists.members.length > 2
        ? 'group-direct'
        : 'direct',
    name: asString(channel.name) ?? (isOfPeople(cid) ? '' : cid.slice(type.length + 1)),
    topic: asString(channel.topic),
    description: asString(channel.description),
    iconUrl: asString(channel.image),
    metadata: facts({
      type: type === 'messaging' ? undefined : type,
      frozen: channel.frozen === true || undefined,
      disabled: channel.disabled === true || undefined,
      ...readCustom(channel, knownOfChannels),
    }),
    creator: readUserId(channel.created_by),
    createdAtMs: msOf(channel.created_at),
    ...(msOf(channel.deleted_at) !== undefined && { isArchived: true }),
    ...lists,
  });
}
