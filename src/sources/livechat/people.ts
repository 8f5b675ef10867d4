import type { Location } from '../../lib/text/location.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Entry } from '../../model/entry.ts';
import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asId, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import { msOf } from './time.ts';
import type { LiveChatUser } from './format.ts';

/** A customer and an agent are different people, whatever their ids are. `unknown`: nothing says what the person is. */
type Kind = 'customer' | 'agent' | 'unknown';

const kindOfUser = (type: unknown): Kind => (type === 'customer' || type === 'agent' ? type : 'unknown');

const personId = (kind: Kind, id: string): string => `${kind}:${id}`;

export function readPerson(value: unknown): UserRecord | undefined {
  const user = asObject<LiveChatUser>(value);
  const id = asId(user?.id);
  if (user === undefined || id === undefined) return undefined;
  const email = asString(user.email);
  return compact<UserRecord>({
    kind: 'user',
    id: personId(kindOfUser(user.type), id),
    name: asString(user.name)?.trim() || (email ?? id),
    email,
    avatarUrl: asString(user.avatar),
    createdAtMs: msOf(user.created_at),
  });
}

/** Whether customers see the person: agents who only look on are hidden from them. */
export const isSeen = (value: unknown): boolean => asObject<LiveChatUser>(value)?.visibility !== 'agents';

/** Details of a person that no field holds, such as visits, addresses and fields of a session. */
export const hasDetails = (value: unknown): boolean => {
  const user: Untrusted<Record<(typeof details)[number], unknown>> = asObject(value) ?? {};
  return details.some((key) => user[key] !== undefined && user[key] !== null);
};
const details = ['visit', 'session_fields', 'phone_number', 'address', 'omnichannel', 'carts', 'tickets'] as const;

/** Kinds of people by their ids. An id that a customer and an agent have says nothing. */
export class Kinds {
  readonly #kinds: Pick<Map<string, string>, 'get'> & { set(id: string, kind: string): unknown };

  /** @param kinds Holds them: a `PackedMap` for more than a chat has. */
  constructor(kinds: Map<string, string> | PackedMap = new Map<string, string>()) {
    this.#kinds = kinds;
  }

  add(value: unknown): void {
    const user = asObject<LiveChatUser>(value);
    const id = asId(user?.id);
    if (id === undefined) return;
    const kind = kindOfUser(user?.type);
    const before = this.#kinds.get(id);
    this.#kinds.set(id, before === undefined || before === kind ? kind : 'unknown');
  }

  get(id: string): Kind | undefined {
    return this.#kinds.get(id) as Kind | undefined;
  }
}

/** Facts of the lists of chats, for files of events: about 60 bytes for each chat, and 80 for each person. */
export class Directory {
  readonly people = new DeskPeople();
  readonly kinds = new Kinds(new PackedMap());
  /** Threads that others name, before and after them, or as the last one of a chat: about 100 bytes for each. */
  readonly threads = new LastMessages('Chats name threads that no file has', true);
  /** Ids of chats that a list has. */
  readonly chats = new Set<string>();

  add(value: unknown, location: Location, into: Entry[]): void {
    const person = readPerson(value);
    if (person === undefined) return;
    this.kinds.add(value);
    this.people.list(person, location, into);
  }

  /** The chat whose id is in the path of a file of threads; undefined if it is none, or several. */
  chatIn(path: string): string | undefined {
    const found = new Set(path.split(/[^A-Za-z0-9]+/).filter((word) => this.chats.has(word)));
    return found.size === 1 ? [...found][0] : undefined;
  }
}

/** The person of an event, by the users of its chat, else by the lists of chats. */
export function readAuthor(id: unknown, users: Kinds, directory: Directory): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const known = asWord(id);
  return personId(users.get(known) ?? directory.kinds.get(known) ?? 'unknown', known);
}
