import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { asArray, asObject, asString, asStrings } from '../kit/narrow.ts';
import { type Content, contentOf, type Event, localPart, previousOf, eventTime } from './format.ts';
import { Room, telling } from './room.ts';

interface Person {
  readonly atMs: number;
  readonly name: string | undefined;
  readonly avatar: string | undefined;
}

/** People and rooms, of files that all others refer to, or of one file. In memory: some 300 bytes for each person and membership. */
export class Directory {
  readonly #around: Directory | undefined;
  readonly #rooms = new Map<string, Room>();
  readonly #people = new Map<string, Person>();
  readonly #directs = new Set<string>();
  /** Records that were yielded, as JSON. */
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
    const atMs = eventTime(event) ?? 0;
    const content = contentOf(event);
    const key = asString(event.state_key) ?? '';
    if (type === 'm.room.member' && key !== '') this.#noteMember(event, roomId, key, atMs);
    if (!telling.has(type) || key !== '') return;
    const room = this.room(roomId);
    const before = room.latest.get(type);
    if (before === undefined || atMs >= before.atMs) room.latest.set(type, { atMs, content });
    if (type !== 'm.room.create') return;
    room.creator = asString(content.creator) ?? asString(event.sender);
    room.createdAtMs = eventTime(event);
  }

  #noteMember(event: Event, roomId: string, id: string, atMs: number): void {
    const content = contentOf(event);
    const membership = asString(content.membership) ?? '';
    const room = this.room(roomId);
    if (content.is_direct === true) room.isDirect = true;
    const before = room.members.get(id);
    const isLatest = before === undefined || atMs >= before.atMs;
    const isJoin = membership === 'join';
    // A join of a member says another name.
    const begins = isJoin && (isLatest ? before?.membership !== 'join' : atMs < (before.joinedAtMs ?? Infinity));
    const joinedAtMs = begins ? atMs : before?.joinedAtMs;
    room.members.set(id, isLatest ? { atMs, membership, joinedAtMs } : { ...before, joinedAtMs });
    // Who leaves says no name any more.
    const said = membership === 'join' || membership === 'invite' ? content : previousOf(event);
    const person = this.#people.get(id);
    if (person !== undefined && person.atMs > atMs) return;
    const name = asString(said.displayname) ?? person?.name;
    this.#people.set(id, { atMs, name, avatar: asString(said.avatar_url) ?? person?.avatar });
  }

  /** Notes the data above the messages in an export of a room. */
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
