import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { type MemberLists, Members } from '../../model/members.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts, ownFacts } from '../kit/compact.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import {
  idOf,
  type RocketMessage,
  type RocketPerson,
  type RocketRoom,
  type RocketSubscription,
  type RocketUser,
  rocketchatTime,
} from './format.ts';

/**
 * Who and what files of people, memberships and rooms describe. In memory: some 40 bytes for each person twice, a reference for each
 * membership, the name of each room.
 */
export class Directory {
  readonly #names = new PackedMap();
  readonly #ids = new PackedMap();
  readonly #rooms = new Map<string, string>();
  readonly #directs = new Set<string>();
  readonly #members = new Members();
  readonly #counts: CountedProblems;
  readonly lastMessages = new LastMessages();
  hasPeople = false;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  nameOf = (id: string): string | undefined => this.#names.get(id);
  idOfUsername = (username: string): string | undefined => this.#ids.get(username);
  /** Returns the name in the room's address; undefined if nothing describes the room. */
  roomName = (rid: string): string | undefined => this.#rooms.get(rid);

  isDirect = (rid: string): boolean => this.#directs.has(rid) || peopleOfDirect(rid) !== undefined;

  addPerson(value: unknown, location: Location, into: Entry[]): void {
    const user = asObject<RocketUser>(value) ?? {};
    const record = readUser(user);
    if (!record) return void into.push(problemEntry('user-without-id', 'A person without "_id"', location));
    // A member of a room that was fetched: lists of people say more of them.
    const room = idOf(user.rid);
    this.#addMember(room, record.id);
    if (room !== undefined && this.#names.get(record.id) !== undefined) return;
    this.hasPeople = true;
    this.#names.set(record.id, record.name);
    if (record.handle !== undefined) this.#ids.set(record.handle, record.id);
    for (const rid of asArray(user.__rooms)) this.#addMember(idOf(rid), record.id);
    for (const [what, detail] of [
      ['status messages', user.statusText],
      ['time zones', user.utcOffset],
      ['fields of their own', Object.keys(asObject<object>(user.customFields) ?? {}).length],
    ] as const)
      if (detail) this.#counts.add('profile-detail-not-migrated', what);
    into.push(recordEntry(record, location));
  }

  addSubscription(value: unknown): void {
    const row = asObject<RocketSubscription>(value) ?? {};
    const roles = asArray(row.roles);
    const scope = roles.includes('owner') ? 'admin' : roles.includes('moderator') ? 'moderator' : undefined;
    const [rid, id] = [idOf(row.rid), this.#learn(row.u)];
    if (rid !== undefined && id !== undefined)
      this.#members.add(rid, id, { scope, joinedAtMs: rocketchatTime(row.ts) });
    if (rocketchatTime(row.ls) !== undefined) this.#counts.add('rocketchat-not-migrated', 'read positions');
    if (row.f === true) this.#counts.add('rocketchat-not-migrated', 'favourites');
    if (roles.length > 0 && scope === undefined)
      this.#counts.add('rocketchat-not-migrated', 'roles in rooms other than owner and moderator');
  }

  addRoom(value: unknown, location: Location, into: Entry[]): void {
    const room = asObject<RocketRoom>(value) ?? {};
    const id = idOf(room._id);
    if (id === undefined) {
      return void into.push(problemEntry('conversation-without-id', 'A room without "_id"', location));
    }
    this.#learn(room.u);
    const last = asObject<RocketMessage>(room.lastMessage);
    this.#learn(last?.u);
    this.lastMessages.expect(idOf(last?._id), id, location);
    this.#rooms.set(id, asString(room.name) ?? id);
    if (room.t === 'd') this.#directs.add(id);
    const people = new Members();
    for (const one of this.#peopleIn(room, id)) people.add(id, one);
    people.addLists({ id, ...this.#members.of(id) });
    const lists = people.of(id);
    if (room.t === 'd' && lists.members.length === 0) {
      into.push(problemEntry('no-members', 'Expected "uids", found no known user', location));
    } else into.push(recordEntry(readRoom(id, room, lists), location));
  }

  #addMember(rid: string | undefined, id: string | undefined): void {
    if (rid !== undefined && id !== undefined) this.#members.add(rid, id);
  }

  /** People whom no file describes are known by their names at least. */
  #learn(value: unknown): string | undefined {
    const person = asObject<RocketPerson>(value);
    const id = idOf(person?._id);
    const username = asString(person?.username);
    if (id !== undefined && username !== undefined && this.#ids.get(username) === undefined)
      this.#ids.set(username, id);
    return id;
  }

  #peopleIn(room: Untrusted<RocketRoom>, id: string): readonly string[] {
    const ids = asArray(room.uids).flatMap((uid) => idOf(uid) ?? []);
    if (ids.length > 0) return ids;
    const known = asArray(room.usernames).map((name) => this.#ids.get(asWord(name)));
    if (room.t === 'd' && (known.includes(undefined) || known.length === 0)) return peopleOfDirect(id) ?? [];
    return known.filter((one) => one !== undefined);
  }
}

/** The room of two people is called by the ids of both, of 17 letters each. */
export const peopleOfDirect = (rid: string): readonly string[] | undefined =>
  /^[A-Za-z0-9]{34}$/.test(rid) ? [...new Set([rid.slice(0, 17), rid.slice(17)])] : undefined;

function readUser(user: Untrusted<RocketUser>): UserRecord | undefined {
  const id = idOf(user._id);
  if (id === undefined) return undefined;
  const handle = asString(user.username);
  const isBot = user.type === 'bot' || user.type === 'app';
  const roles = asArray(user.roles);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(user.name) ?? handle ?? id,
    handle,
    email: asString(asObject<{ address: string }>(asArray(user.emails)[0])?.address),
    avatarUrl: asString(user.avatarUrl),
    role: isBot ? 'bot' : roles.includes('admin') ? 'admin' : roles.includes('guest') ? 'guest' : 'member',
    ...(isBot && { isBot }),
    ...(user.active === false && { isDeleted: true }),
    createdAtMs: rocketchatTime(user.createdAt),
    metadata: ownFacts(user, ['nickname', 'bio']),
  });
}

function readRoom(id: string, room: Untrusted<RocketRoom>, lists: MemberLists): ConversationRecord {
  const isDirect = room.t === 'd';
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: isDirect ? (lists.members.length > 2 ? 'group-direct' : 'direct') : room.t === 'c' ? 'public' : 'private',
    name: isDirect ? '' : (asString(room.fname) ?? asString(room.name) ?? id),
    topic: asString(room.topic),
    description: asString(room.description),
    metadata: facts({
      announcement: asString(room.announcement),
      discussionOf: idOf(room.prid),
      readOnly: room.ro === true || undefined,
      encrypted: room.encrypted === true || undefined,
      team: room.teamMain === true || undefined,
      livechat: room.t === 'l' || undefined,
    }),
    creator: idOf(asObject<RocketPerson>(room.u)?._id),
    createdAtMs: rocketchatTime(room.ts),
    ...(room.archived === true && { isArchived: true }),
    ...lists,
  });
}
