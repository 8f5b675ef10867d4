import { type MemberLists, Members } from '../../model/members.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, Membership, UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { Described } from '../kit/described.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import {
  parseData,
  isSaid,
  parseObject,
  type SendbirdChannel,
  type SendbirdMember,
  type SendbirdMessage,
  type SendbirdUser,
  type Times,
} from './format.ts';

/** List name for people who are in no list. A better description, from any export, replaces theirs. */
export const besideMessage = 'message';

/**
 * People and channels, of the lists of the export or of one file of messages. In memory: some 40 bytes for each name; descriptions, as the
 * kit's `Described` holds them.
 */
export class Directory {
  readonly #names = new PackedMap();
  /** Described by a list, or as a member. */
  readonly #listed = new Set<string>();
  readonly #channels = new Set<string>();
  /** From lists of members, by their channel: some 60 bytes for each. */
  readonly #members = new Members();
  readonly #described = new Described();
  readonly #counts: CountedProblems;
  readonly #times: Times;
  readonly #around: Directory | undefined;
  /** From lists of channels; those of a file of messages are its own. */
  readonly lastMessages = new LastMessages();

  /** @param around Lists of the export: what they describe is described no more. */
  constructor(counts: CountedProblems, times: Times, around?: Directory) {
    this.#counts = counts;
    this.#times = times;
    this.#around = around;
  }

  nameOf(id: string): string | undefined {
    return this.#around?.nameOf(id) ?? this.#names.get(id);
  }

  /**
   * @param place Name of the list with the person, or another location.
   * @returns the id.
   */
  addPerson(value: unknown, place: string, location: Location, into: Entry[]): string | undefined {
    const user = parseObject<SendbirdUser>(value);
    const name = asString(user?.nickname) ?? asString(user?.name);
    const id = asId(user?.user_id) ?? asId(value) ?? (place === besideMessage ? idByName('name', name) : undefined);
    if (user === undefined || id === undefined || this.#isKnown(id, user, place)) return id;
    const record = this.#userOf(id, user, place);
    if (place !== besideMessage) this.#listed.add(id);
    if (this.#described.add(record) === 'same') return id;
    this.#names.set(id, record.name);
    into.push(recordEntry(record, location));
    if (place.endsWith('users') && this.#times((user as { last_seen_at?: unknown }).last_seen_at) !== undefined)
      this.#counts.add('profile-detail-not-migrated', 'times of the last visit');
    return id;
  }

  /**
   * Whether a better description exists. Descriptions in messages rank below those of channel members, and these below
   * a list. An id alone describes nothing.
   */
  #isKnown(id: string, { nickname, name }: Untrusted<SendbirdUser>, place: string): boolean {
    if (place.endsWith('users')) return false;
    if (this.#around?.isListed(id) || (asString(nickname) ?? asString(name)) === undefined) return true;
    return place === besideMessage ? this.#names.get(id) !== undefined : this.#listed.has(id);
  }

  isListed = (id: string): boolean => this.#listed.has(id);

  #userOf(id: string, user: Untrusted<SendbirdUser>, place: string): UserRecord {
    const isBot = user.is_bot === true || user.is_bot === 'true';
    return compact<UserRecord>({
      kind: 'user',
      id,
      name: asString(user.nickname) ?? asString(user.name) ?? id,
      avatarUrl: asString(user.profile_url) ?? asString(user.image),
      role: isBot ? 'bot' : 'member',
      ...(isBot && { isBot }),
      ...((place === 'deactivated_users' || user.is_active === false || user.is_active === 'false') && {
        isDeleted: true,
      }),
      createdAtMs: this.#times(user.created_at),
      metadata: parseObject<Record<string, never>>(user.metadata) as Record<string, never> | undefined,
      ...(place === besideMessage && { isPlaceholder: true }),
    });
  }

  /**
   * @param list `open_channels`, if the list shows the kind of its channels.
   */
  addChannel(channel: Untrusted<SendbirdChannel>, location: Location, into: Entry[], list?: string): void {
    const id = asString(channel.channel_url);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'A channel without "channel_url"', location));
      return;
    }
    if (this.#around?.hasChannel(id)) return;
    this.#channels.add(id);
    this.lastMessages.expect(
      asId(asObject<SendbirdMessage>(parseData(channel.last_message))?.message_id),
      id,
      location,
    );
    const creator = this.addPerson(channel.created_by, besideMessage, location, into);
    const record = readConversation(id, channel, {
      creator,
      lists: this.#membersOf(id, channel, location, into),
      isOpen: list === 'open_channels' || channel.participant_count !== undefined,
      createdAtMs: this.#times(channel.created_at),
    });
    this.#described.describe(record, location, into);
    const receipts = Object.keys(asObject(channel.read_receipt) ?? asArray(channel.read_receipt));
    this.#counts.add('sendbird-not-migrated', 'read positions', receipts.length);
  }

  hasChannel(id: string): boolean {
    return this.#channels.has(id) || (this.#around?.hasChannel(id) ?? false);
  }

  /** A row of a list of members. */
  addMember(row: Untrusted<SendbirdMember>, location: Location, into: Entry[]): void {
    const channel = asString(row.channel_url);
    if (channel === undefined) {
      into.push(problemEntry('conversation-without-id', 'A member without "channel_url"', location));
      return;
    }
    const member = this.#memberIn(row, location, into);
    if (member === undefined) into.push(problemEntry('user-without-id', 'A member without "user_id"', location));
    else if (member.hasJoined) this.#members.add(channel, member.id, member.details);
  }

  /** Channels that have members, and that no list of channels describes. @param path Of a list of members. */
  othersWithMembers([path = '']: readonly string[]): readonly Entry[] {
    const into: Entry[] = [];
    for (const channel_url of this.#members.conversations())
      if (!this.hasChannel(channel_url)) this.addChannel({ channel_url }, { path }, into);
    return into;
  }

  /** Operators of open channels, which have no members, are counted. */
  #membersOf(
    id: string,
    { members, operators }: Untrusted<SendbirdChannel>,
    location: Location,
    into: Entry[],
  ): MemberLists {
    const people = new Members();
    people.addLists({ id, ...this.#members.of(id) });
    for (const value of asArray(parseData(members))) {
      const member = this.#memberIn(value, location, into);
      if (member?.hasJoined) people.add(id, member.id, member.details);
    }
    const known = new Set(people.of(id).members);
    for (const value of asArray(parseData(operators))) {
      const operator = this.addPerson(value, besideMessage, location, into) ?? '';
      if (known.has(operator)) people.add(id, operator, { scope: 'admin' });
      else this.#counts.add('sendbird-not-migrated', 'operators of channels');
    }
    return people.of(id);
  }

  #memberIn(
    value: unknown,
    location: Location,
    into: Entry[],
  ): { readonly id: string; readonly hasJoined: boolean; readonly details: Omit<Membership, 'user'> } | undefined {
    const id = this.addPerson(value, 'members', location, into);
    const { state, role, joined_ts } = asObject<SendbirdMember>(value) ?? {};
    if (state === 'invited') this.#counts.add('sendbird-not-migrated', 'people who were invited and did not come');
    const details = { scope: role === 'operator' ? ('admin' as const) : undefined, joinedAtMs: this.#times(joined_ts) };
    return id === undefined ? undefined : { id, hasJoined: state !== 'invited', details };
  }
}

interface ChannelFacts {
  readonly creator: string | undefined;
  readonly createdAtMs: number | undefined;
  readonly lists: MemberLists;
  readonly isOpen: boolean;
}

const isTrue = (value: unknown) => value === true || value === 'true';

function readConversation(
  id: string,
  channel: Untrusted<SendbirdChannel>,
  { creator, createdAtMs, lists, isOpen }: ChannelFacts,
): ConversationRecord {
  const { members } = lists;
  const isDirect = isTrue(channel.is_distinct) && members.length > 0;
  const data = parseData(channel.data);
  const marks = ['is_super', 'is_broadcast', 'is_ephemeral', 'freeze'] as const;
  const metadata = {
    ...(parseObject<Record<string, never>>(channel.metadata) as Record<string, never> | undefined),
    ...(asString(channel.custom_type) !== undefined && { type: channel.custom_type as string }),
    ...(isSaid(data) && { data: data as never }),
    ...Object.fromEntries(marks.filter((key) => isTrue(channel[key])).map((key) => [key, true])),
  };
  const isOfTwo = isDirect && members.length <= 2;
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: isDirect ? (isOfTwo ? 'direct' : 'group-direct') : isOpen || isTrue(channel.is_public) ? 'public' : 'private',
    name: isOfTwo ? '' : (asString(channel.name) ?? (isDirect ? '' : id)),
    iconUrl: asString(channel.cover_url),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    creator,
    createdAtMs,
    ...lists,
  });
}
