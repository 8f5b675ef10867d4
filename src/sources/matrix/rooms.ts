import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { asArray, asObject, asString, asStrings } from '../kit/narrow.ts';
import { contentOf, type Content, type Event, localPart, previousOf, timeOf } from './format.ts';

interface Latest {
  readonly atMs: number;
  readonly content: Content;
}

interface Person {
  readonly atMs: number;
  readonly name: string | undefined;
  readonly avatar: string | undefined;
}

/** State that says something of a room. Membership is the rest. */
const telling = new Set([
  ...[
    'create',
    'name',
    'topic',
    'avatar',
    'canonical_alias',
    'join_rules',
    'encryption',
    'pinned_events',
    'tombstone',
  ].map((name) => `m.room.${name}`),
]);

/** What state says of a room: the latest of each kind, in whatever order it comes. */
class Room {
  readonly id: string;
  readonly latest: Map<string, Latest>;
  readonly members: Map<string, { readonly atMs: number; readonly membership: string }>;
  isDirect: boolean;
  creator: string | undefined;
  createdAtMs: number | undefined;
  #pinned: ReadonlySet<string> | undefined;

  constructor(id: string, around?: Room) {
    this.id = id;
    this.latest = new Map(around?.latest);
    this.members = new Map(around?.members);
    this.isDirect = around?.isDirect ?? false;
    this.creator = around?.creator;
    this.createdAtMs = around?.createdAtMs;
  }

  said(type: string): Content {
    return this.latest.get(`m.room.${type}`)?.content ?? {};
  }

  get version(): string | undefined {
    const create = this.latest.get('m.room.create')?.content;
    return create && (asString(create.room_version) ?? '1');
  }

  get pinned(): ReadonlySet<string> {
    this.#pinned ??= new Set(asStrings(this.said('pinned_events').pinned));
    return this.#pinned;
  }

  /** Undefined where nothing tells more than who came and went. */
  record(): ConversationRecord | undefined {
    if (this.latest.size === 0 && !this.isDirect) return undefined;
    const people = [...this.members].filter(
      ([, { membership }]) => membership === 'join' || (this.isDirect && membership !== 'ban'),
    );
    const members = people.map(([id]) => id);
    const isDirect = this.isDirect && members.length > 1;
    const name = asString(this.said('name').name);
    const topic = asString(this.said('topic').topic);
    const alias = asString(this.said('canonical_alias').alias);
    const successor = asString(this.said('tombstone').replacement_room);
    const metadata = {
      ...(alias !== undefined && { alias }),
      ...(this.said('create').type === 'm.space' && { space: true }),
      ...(this.latest.has('m.room.encryption') && { encrypted: true }),
      ...(successor !== undefined && { successor }),
      ...(asString(this.said('avatar').url) !== undefined && { picture: this.said('avatar').url as string }),
      ...(this.isDirect && name !== undefined && { name }),
    };
    return {
      kind: 'conversation',
      id: this.id,
      type: isDirect
        ? members.length === 2
          ? 'direct'
          : 'group-direct'
        : this.said('join_rules').join_rule === 'public'
          ? 'public'
          : 'private',
      name: isDirect ? '' : (name ?? alias ?? ''),
      ...(topic !== undefined && { topic }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(this.creator !== undefined && { creator: this.creator }),
      ...(this.createdAtMs !== undefined && { createdAtMs: this.createdAtMs }),
      ...(successor !== undefined && { isArchived: true }),
      members,
    };
  }
}

/** People and rooms, of files that all others refer to, or of one file. In memory: some 300 bytes for each person and membership. */
export class Directory {
  readonly #around: Directory | undefined;
  readonly #rooms = new Map<string, Room>();
  readonly #people = new Map<string, Person>();
  readonly #directs = new Set<string>();
  /** What was yielded, as JSON. */
  readonly #said = new Map<string, string>();

  /** @param around What all files share: what that describes, and this has nothing new of, is described no more. */
  constructor(around?: Directory) {
    this.#around = around;
  }

  room(id: string): Room {
    const known = this.#rooms.get(id);
    if (known !== undefined) return known;
    const room = new Room(id, this.#around?.known(id));
    if (this.#directs.has(id) || this.#around?.isDirect(id)) room.isDirect = true;
    this.#rooms.set(id, room);
    return room;
  }

  known = (id: string): Room | undefined => this.#rooms.get(id);
  isDirect = (id: string): boolean => this.#directs.has(id);
  personOf = (id: string): Person | undefined => this.#people.get(id);
  hasSaid = (key: string, json: string): boolean => this.#said.get(key) === json;

  nameOf(id: string): string | undefined {
    const own = this.#people.get(id);
    const shared = this.#around?.personOf(id);
    return (own?.name === undefined || (shared?.atMs ?? -1) > own.atMs ? shared : own)?.name ?? own?.name;
  }

  /** Who wrote or is spoken of: nothing may describe them. */
  see(id: string): void {
    if (!this.#people.has(id)) this.#people.set(id, { atMs: -1, name: undefined, avatar: undefined });
  }

  /** Rooms for two, by the person whom they are with: `m.direct`. */
  noteDirects(content: Content): void {
    for (const rooms of Object.values(content)) {
      for (const id of asStrings(rooms)) {
        this.#directs.add(id);
        const room = this.#rooms.get(id);
        if (room) room.isDirect = true;
      }
    }
  }

  /** Takes in what an event of state says of its room. */
  noteState(event: Event, roomId: string): void {
    const type = asString(event.type) ?? '';
    const atMs = timeOf(event) ?? 0;
    const content = contentOf(event);
    const key = asString(event.state_key) ?? '';
    if (type === 'm.room.member' && key !== '') this.#noteMember(event, roomId, key, atMs);
    if (!telling.has(type) || key !== '') return;
    const room = this.room(roomId);
    const before = room.latest.get(type);
    if (before === undefined || atMs >= before.atMs) room.latest.set(type, { atMs, content });
    if (type !== 'm.room.create') return;
    room.creator = asString(content.creator) ?? asString(event.sender);
    room.createdAtMs = timeOf(event);
  }

  #noteMember(event: Event, roomId: string, id: string, atMs: number): void {
    const content = contentOf(event);
    const membership = asString(content.membership) ?? '';
    const room = this.room(roomId);
    if (content.is_direct === true) room.isDirect = true;
    const before = room.members.get(id);
    if (before === undefined || atMs >= before.atMs) room.members.set(id, { atMs, membership });
    // Who leaves says no name any more.
    const said = membership === 'join' || membership === 'invite' ? content : previousOf(event);
    const person = this.#people.get(id);
    if (person !== undefined && person.atMs > atMs) return;
    const name = asString(said.displayname) ?? person?.name;
    this.#people.set(id, { atMs, name, avatar: asString(said.avatar_url) ?? person?.avatar });
  }

  /** What an export of a room says above its messages. */
  noteHeader(roomId: string, header: ReadonlyMap<string, unknown>): void {
    const room = this.room(roomId);
    for (const [type, key] of [
      ['name', 'room_name'],
      ['topic', 'topic'],
    ] as const) {
      const text = asString(header.get(key));
      if (text !== undefined)
        room.latest.set(`m.room.${type}`, { atMs: Number.MAX_SAFE_INTEGER, content: { [type]: text } });
    }
  }

  /** People and rooms that are not as they were described. */
  *records(): Generator<UserRecord | ConversationRecord> {
    for (const id of this.#people.keys()) {
      const record = this.#userOf(id);
      if (this.#isNews(`u${id}`, record)) yield record;
    }
    for (const [id, room] of this.#rooms) {
      const record = room.record();
      if (record !== undefined && this.#isNews(`c${id}`, record)) yield record;
    }
  }

  #isNews(key: string, record: UserRecord | ConversationRecord): boolean {
    const json = JSON.stringify(record);
    if (this.#said.get(key) === json || this.#around?.hasSaid(key, json)) return false;
    this.#said.set(key, json);
    return true;
  }

  #userOf(id: string): UserRecord {
    const own = this.#people.get(id)!;
    const shared = this.#around?.personOf(id);
    const person = shared !== undefined && shared.atMs > own.atMs ? shared : own;
    const isPlaceholder = person.name === undefined && person.avatar === undefined;
    return {
      kind: 'user',
      id,
      name: person.name ?? localPart(id),
      handle: localPart(id),
      ...(person.avatar !== undefined && { avatarUrl: person.avatar }),
      ...(isPlaceholder && { isPlaceholder }),
    };
  }
}

/** Rooms that are for two, in data of an account: `{"type":"m.direct","content":{…}}`, or its content. */
export function directsIn(value: unknown): Content | undefined {
  const event = asObject<{ type: string; content: Content }>(value);
  return event?.type === 'm.direct' ? (asObject<Content>(event.content) as Content | undefined) : undefined;
}

/** Whether all values are lists of ids of rooms. */
export const areDirects = (content: Content): boolean =>
  Object.values(content).every(
    (rooms) => asArray(rooms) === rooms && asStrings(rooms).every((id) => id.startsWith('!')),
  );
