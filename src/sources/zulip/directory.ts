import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { UserRecord } from '../../model/records.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asNumber, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { groupId, makeGroup, readStream, targetOfPeople } from './conversations.ts';
import {
  systemBots,
  zulipTime,
  type ZulipGroup,
  type ZulipRecipient,
  type ZulipStream,
  type ZulipSubscription,
  type ZulipUser,
} from './format.ts';

/** Whom a message is for. */
export type Target =
  | { readonly conversation: string; readonly stream?: string }
  /** A person: the conversation is theirs and the sender's. */
  | { readonly person: string };

/** Targets that are remembered as they are. */
const targetsMax = 10_000;

/**
 * Who and what `realm.json` describes. In memory: some 40 bytes for each name and for each recipient, 8 for each subscription, 16 for each membership in a group of users, the rows of
 * streams and groups.
 */
export class Directory {
  /** Id of the organisation. */
  workspace: string | undefined;
  readonly #names = new PackedMap();
  /** Ids by names; empty where two have the same. */
  readonly #ids = new PackedMap();
  /** `1 7`: type and id of what a recipient is. */
  readonly #recipients = new PackedMap();
  readonly #system = new Map<string, string>();
  readonly #members = new Map<string, number[]>();
  /** People by recipient. */
  readonly #admins = new Map<string, string[]>();
  /** By the id of a group of users: who is in it, and groups in it with a "g" before their id. */
  readonly #userGroups = new Map<string, string[]>();
  /** By the id of a stream. */
  readonly #subscribers = new Map<string, number[]>();
  readonly #streams = new Map<string, { readonly row: Untrusted<ZulipStream>; readonly location: Location }>();
  readonly #groups = new Map<string, Untrusted<ZulipGroup>>();
  /** Conversations of groups, by the id of the group. */
  readonly #groupTargets = new Map<string, string>();
  /** Those of the latest messages. */
  readonly #targets = new Map<string, Target>();
  readonly #described = new Set<string>();
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  nameOf = (id: string): string | undefined => this.#names.get(id);
  idOfName = (name: string): string | undefined => this.#ids.get(name) || undefined;
  streamName = (id: string): string | undefined => asString(this.#streams.get(id)?.row.name);
  /** Whether a group is this conversation of two. */
  describes = (conversation: string): boolean => this.#described.has(conversation);
  /** Returns the system's name for its own account; undefined for people and other bots. */
  systemBot = (id: string): string | undefined => this.#system.get(id);

  addRealm(value: unknown): void {
    this.workspace ??= asString(asObject<{ string_id: string }>(value)?.string_id);
  }

  addPerson(value: unknown, isStrange: boolean, location: Location, into: Entry[]): void {
    const user = asObject<ZulipUser>(value) ?? {};
    const record = readUser(user, isStrange);
    if (!record) return void into.push(problemEntry('user-without-id', 'A person without "id"', location));
    const { id, name, handle } = record;
    this.#names.set(id, name);
    this.#ids.set(name, (this.#ids.get(name) ?? id) === id ? id : '');
    if (record.isBot && handle !== undefined && systemBots.has(handle)) this.#system.set(id, handle);
    this.#learn(user.recipient ?? user.recipient_id, '1', id);
    if (asString(user.timezone)) this.#counts.add('profile-detail-not-migrated', 'time zones');
    if (user.avatar_source === 'U') this.#counts.add('profile-detail-not-migrated', 'pictures');
    into.push(recordEntry(record, location));
  }

  addStream(value: unknown, location: Location, into: Entry[]): void {
    const row = asObject<ZulipStream>(value) ?? {};
    const id = asId(row.id);
    if (id === undefined)
      return void into.push(problemEntry('conversation-without-id', 'A stream without "id"', location));
    this.#streams.set(id, { row, location });
    this.#learn(row.recipient, '2', id);
  }

  /** @returns false for what is none. */
  addRecipient(value: unknown): boolean {
    const { id, type, type_id } = asObject<ZulipRecipient>(value) ?? {};
    const [own, of] = [asId(id), asId(type_id)];
    if (own === undefined || of === undefined || (type !== 1 && type !== 2 && type !== 3)) return false;
    this.#recipients.set(own, `${type} ${of}`);
    return true;
  }

  addGroup(value: unknown): boolean {
    const row = asObject<ZulipGroup>(value) ?? {};
    const id = asId(row.id);
    if (id !== undefined) this.#groups.set(id, row);
    this.#learn(row.recipient, '3', id);
    return id !== undefined;
  }

  addSubscription(value: unknown): boolean {
    const row = asObject<ZulipSubscription>(value) ?? {};
    const recipient = asId(row.recipient);
    if (recipient === undefined || typeof row.user_profile !== 'number') return false;
    if (row.is_muted === true) this.#counts.add('zulip-not-migrated', 'streams that a user muted');
    if (row.pin_to_top === true) this.#counts.add('zulip-not-migrated', 'streams that a user pinned');
    if (row.active === false) this.#counts.add('zulip-not-migrated', 'people who left a stream');
    else {
      const members = this.#members.get(recipient);
      if (members) members.push(row.user_profile);
      else this.#members.set(recipient, [row.user_profile]);
      if (row.role === 20)
        this.#admins.set(recipient, [...(this.#admins.get(recipient) ?? []), String(row.user_profile)]);
    }
    return true;
  }

  /** A person or a group in a group of users. @returns false for a row that names neither. */
  addToUserGroup(value: unknown, groupKey: string, memberKey: 'user_profile' | 'subgroup'): boolean {
    const row = asObject<Record<string, unknown>>(value) ?? {};
    const [group, member] = [asId(row[groupKey]), asId(row[memberKey])];
    if (group === undefined || member === undefined) return false;
    const known = this.#userGroups.get(group) ?? [];
    this.#userGroups.set(group, known);
    known.push(memberKey === 'subgroup' ? `g${member}` : member);
    return true;
  }

  /** Everybody in a group of users and in the groups inside it. */
  #usersIn(group: string, seen = new Set<string>()): readonly string[] {
    if (seen.has(group)) return [];
    seen.add(group);
    const inside = this.#userGroups.get(group) ?? [];
    return inside.flatMap((one) => (one.startsWith('g') ? this.#usersIn(one.slice(1), seen) : [one]));
  }

  /** Members of a stream who may administer it, as far as the export says it of the stream itself. */
  #adminsOf(
    { can_administer_channel_group: group }: Untrusted<ZulipStream>,
    members: readonly string[],
    recipient = '',
  ) {
    const id = asId(group);
    const named =
      id === undefined
        ? asArray(asObject<{ direct_members: unknown }>(group)?.direct_members).map(String)
        : this.#usersIn(id);
    const admins = new Set([...named, ...(this.#admins.get(recipient) ?? [])]);
    const memberships = members.flatMap((user) => (admins.has(user) ? [{ user, scope: 'admin' as const }] : []));
    return memberships.length > 0 ? { memberships } : {};
  }

  #learn(recipient: unknown, type: string, id: string | undefined): void {
    const own = asId(recipient);
    if (own !== undefined && id !== undefined) this.#recipients.set(own, `${type} ${id}`);
  }

  /** Who is subscribed to a stream, of answers of the API: they name no recipients. */
  addSubscribers(stream: string, users: readonly number[]): void {
    const members = this.#subscribers.get(stream) ?? [];
    members.push(...users);
    this.#subscribers.set(stream, members);
  }

  /** Describes a stream of an answer. Everybody who is subscribed must be known before. */
  addAnsweredStream(row: Untrusted<ZulipStream> & { readonly id: string }, location: Location, into: Entry[]): void {
    this.#streams.set(row.id, { row, location });
    const members = this.#subscribers.get(row.id);
    if (members === undefined)
      into.push(problemEntry('no-members', `No answer lists who is subscribed to stream ${row.id}`, location));
    const record = readStream(row.id, row, inOrder(members ?? []));
    into.push(recordEntry({ ...record, ...this.#adminsOf(row, record.members) }, location));
  }

  /** Yields streams and groups, after every row of the file: rows with their members may be anywhere in it. */
  *conversations(path: string, recipients: Iterable<string>): Generator<Entry> {
    const byStream = new Map<string, string>();
    for (const recipient of recipients) {
      const [type, id] = this.#kindOf(recipient) ?? [];
      if (type === '2') byStream.set(id!, recipient);
      else if (type === '3') yield* this.#groupEntry(id!, recipient, path);
    }
    for (const [id, { row, location }] of this.#streams) {
      const recipient = byStream.get(id);
      const record = readStream(id, row, this.#membersOf(recipient));
      yield recordEntry({ ...record, ...this.#adminsOf(row, record.members, recipient) }, location);
    }
  }

  *#groupEntry(id: string, recipient: string, path: string): Generator<Entry> {
    const members = this.#membersOf(recipient);
    const size = this.#groups.get(id)?.group_size;
    const isWhole = members.length > 0 && !(typeof size === 'number' && size > members.length);
    const conversation =
      isWhole && members.length <= 2 ? targetOfPeople(members[0]!, members.at(-1)!) : groupId(recipient);
    this.#groupTargets.set(id, conversation);
    if (members.length === 0) yield problemEntry('no-members', `Group ${id} has no subscribers`, { path });
    else {
      this.#described.add(conversation);
      yield recordEntry(makeGroup(conversation, members), { path });
    }
  }

  #membersOf(recipient: string | undefined): string[] {
    const members = recipient === undefined ? undefined : this.#members.get(recipient);
    return inOrder(members ?? []);
  }

  #kindOf(recipient: string): readonly [type: string, id: string] | undefined {
    const said = this.#recipients.get(recipient);
    return said === undefined ? undefined : [said[0]!, said.slice(2)];
  }

  /** Returns whom a message to a recipient is for; undefined if the export does not show it. */
  findTarget(recipient: string): Target | undefined {
    const known = this.#targets.get(recipient);
    if (known) return known;
    const target = this.#lookUp(recipient);
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    if (target) this.#targets.set(recipient, target);
    return target;
  }

  #lookUp(recipient: string): Target | undefined {
    const [type, id = ''] = this.#kindOf(recipient) ?? [];
    if (type === '1') return { person: id };
    if (type === '2') return { conversation: `stream-${id}`, stream: id };
    return type === '3' ? { conversation: this.#groupTargets.get(id) ?? groupId(recipient) } : undefined;
  }
}

const inOrder = (members: readonly number[]): string[] => [...new Set(members)].sort((a, b) => a - b).map(String);

const roles: Readonly<Record<number, UserRecord['role']>> = { 100: 'owner', 200: 'admin', 600: 'guest' };

/** @param isStrange Of the table of accounts that are of another organisation: the system's own. */
export function readUser(user: Untrusted<ZulipUser>, isStrange: boolean): UserRecord | undefined {
  const id = asId(user.id);
  if (id === undefined) return undefined;
  const address = asString(user.email);
  const email = asString(user.delivery_email) ?? address;
  const isBot = user.is_bot === true || isStrange;
  const handle = isBot ? address?.split('@', 1)[0] : undefined;
  const createdAtMs = zulipTime(user.date_joined);
  const role =
    roles[asNumber(user.role)] ?? (user.is_realm_admin === true ? 'admin' : user.is_guest ? 'guest' : 'member');
  const owner = asId(user.bot_owner);
  const isDummy = user.is_mirror_dummy === true;
  const metadata = {
    ...(user.role === 300 && { moderator: true }),
    ...(owner !== undefined && { botOwner: owner }),
    ...(isDummy && { mirrorDummy: true }),
  };
  return {
    kind: 'user',
    id,
    name: asString(user.full_name) ?? handle ?? email ?? id,
    ...(handle && { handle }),
    ...(email !== undefined && !isBot && { email }),
    role: isBot ? 'bot' : role!,
    ...(isBot && { isBot }),
    ...(user.is_active === false && !isDummy && { isDeleted: true }),
    ...(createdAtMs !== undefined && { createdAtMs }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
