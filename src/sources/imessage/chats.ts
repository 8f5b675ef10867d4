import type { ConversationRecord } from '../../model/records.ts';
import { asString } from '../kit/narrow.ts';
import { type DatabaseRow as Row, isSet, numberOf } from '../kit/rows/database-row.ts';
import { self } from './format.ts';
import type { People } from './people.ts';

/** Values of `style`. */
const groupStyle = 43;
const directStyle = 45;

interface Conversation {
  readonly id: string;
  readonly isGroup: boolean;
  /** Number of the first chat. */
  readonly row: number;
  readonly members: Set<string>;
  readonly guids: string[];
  name: string;
  isArchived: boolean;
}

/**
 * Conversations. The app has a chat for each address and service, and sometimes begins a group again: chats between the same two
 * people are one conversation, and so are chats with the same id of a group.
 */
export class Chats {
  readonly #byChat = new Map<number, Conversation>();
  readonly #all = new Map<string, Conversation>();
  readonly #people: People;
  /** Names that several chats of one group share: `group_id`, `chat_identifier`. */
  readonly #byGroup = new Map<string, Conversation>();

  /** @param members Numbers of a chat and a handle. */
  constructor(chats: Iterable<Row>, members: Iterable<Row>, people: People) {
    this.#people = people;
    const handles = new Map<number, string[]>();
    for (const { chat_id, handle_id } of members) {
      const person = people.ofHandle(handle_id);
      const chat = numberOf(chat_id);
      if (person === undefined || chat === undefined) continue;
      const known = handles.get(chat);
      if (known) known.push(person);
      else handles.set(chat, [person]);
    }
    for (const row of chats) this.#add(row, handles.get(numberOf(row.rowid) ?? 0) ?? []);
  }

  ofChat(number: unknown): { readonly id: string; readonly isGroup: boolean } | undefined {
    return this.#byChat.get(numberOf(number) ?? 0);
  }

  *records(): Generator<{ readonly record: ConversationRecord; readonly row: number }> {
    for (const { id, isGroup, name, row, members, guids, isArchived } of this.#all.values()) {
      const type = !isGroup ? 'direct' : name === '' ? 'group-direct' : 'private';
      const chat: ConversationRecord = { kind: 'conversation', id, type, name, members: [self, ...members] };
      const record: ConversationRecord = {
        ...chat,
        ...(isArchived && { isArchived: true }),
        ...(guids.length > 0 && { metadata: { chats: guids } }),
      };
      yield { record, row };
    }
  }

  /** Groups that have the same people, and nothing else in common. */
  alike(): readonly (readonly string[])[] {
    const groups = [...this.#all.values()].filter(({ isGroup, members }) => isGroup && members.size > 1);
    const byMembers = Map.groupBy(groups, ({ members }) => JSON.stringify([...members].sort()));
    return [...byMembers.values()].filter((same) => same.length > 1).map((same) => same.map(({ id }) => id));
  }

  #add(row: Row, people: readonly string[]): void {
    const number = numberOf(row.rowid);
    const address = asString(row.chat_identifier);
    const guid = asString(row.guid);
    const key = address ?? guid;
    if (number === undefined || key === undefined) return;
    const isGroup = isGroupChat(row, people.length);
    const conversation = isGroup
      ? this.#group(row, key, number)
      : this.#conversation(people[0] ?? this.#people.ofAddress(key), { isGroup, row: number });
    for (const person of isGroup ? people : [conversation.id]) conversation.members.add(person);
    if (guid !== undefined) conversation.guids.push(guid);
    conversation.name = (isGroup && asString(row.display_name)) || conversation.name;
    // One chat of several may have been put away.
    conversation.isArchived &&= isSet(row.is_archived);
    this.#byChat.set(number, conversation);
  }

  #group(row: Row, key: string, number: number): Conversation {
    const names = [row.group_id, row.chat_identifier].map(asString).filter((name) => name !== undefined);
    const known = names.map((name) => this.#byGroup.get(name)).find((found) => found !== undefined);
    const conversation = known ?? this.#conversation(key, { isGroup: true, row: number });
    for (const name of names) this.#byGroup.set(name, conversation);
    return conversation;
  }

  #conversation(id: string, about: Pick<Conversation, 'isGroup' | 'row'>): Conversation {
    const known = this.#all.get(id);
    if (known) return known;
    const made: Conversation = { id, ...about, members: new Set(), guids: [], name: '', isArchived: true };
    this.#all.set(id, made);
    return made;
  }
}

/** Older copies of the database lack `style`; the id of the chat says the same. */
function isGroupChat({ style, guid, chat_identifier }: Row, handleCount: number): boolean {
  const number = numberOf(style);
  if (number === groupStyle || number === directStyle) return number === groupStyle;
  const way = /^[^;]*;([+-]);/.exec(asString(guid) ?? '')?.[1];
  if (way !== undefined) return way === '+';
  return handleCount > 1 || /^chat\d+$/.test(asString(chat_identifier) ?? '');
}
