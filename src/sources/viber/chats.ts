import type { ConversationRecord } from '../../model/records.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { bareName, notesFlag, self, tokenOf } from './format.ts';
import type { People } from './people.ts';

export interface Chat {
  readonly id: string;
  /** The other person of a chat of two. */
  readonly other: string | undefined;
}

interface Conversation extends Chat {
  /** Number of the first chat; none for a chat of two that only events name. */
  readonly row: number | undefined;
  readonly name: string;
  readonly isGroup: boolean;
  readonly members: Set<string>;
  readonly publicType: number | undefined;
}

/** Value of `ChatInfo.PGType` of chats that are not public. */
const notPublic = 255;

/** Conversations. Chats with the same person are one. Memory: some 500 bytes each. */
export class Chats {
  readonly #byChat = new Map<number, Conversation>();
  readonly #all = new Map<string, Conversation>();
  readonly #people: People;

  constructor(chats: Iterable<DatabaseRow>, members: Iterable<DatabaseRow>, people: People) {
    this.#people = people;
    const all = new Map<number, Set<string>>();
    for (const row of members) {
      const [chat, person] = [numberOf(row.ChatID), people.of(row)];
      if (chat !== undefined && person !== undefined) all.set(chat, (all.get(chat) ?? new Set()).add(person));
    }
    for (const row of chats) this.#add(row, all.get(numberOf(row.ChatID) ?? 0) ?? new Set());
  }

  /** The chat of an event. In older databases a chat of two is known by the number of the other. */
  of(event: DatabaseRow): Chat | undefined {
    const chat = numberOf(event.ChatID);
    if (chat !== undefined && chat !== 0) return this.#byChat.get(chat);
    const other = event.ContactID === null ? this.#people.of(event) : undefined;
    return other === undefined || other === self ? undefined : this.#direct(other, undefined);
  }

  /** Those that are not yet described; chats of two may appear with the events. */
  *records(): Generator<{ readonly record: ConversationRecord; readonly row: number | undefined }> {
    for (const { id, row, name, isGroup, members, publicType } of this.#all.values()) {
      const type = !isGroup ? 'direct' : name === '' ? 'group-direct' : 'private';
      const metadata = publicType === undefined ? {} : { metadata: { publicType } };
      yield { record: { kind: 'conversation', id, type, name, members: [...members], ...metadata }, row };
    }
  }

  #add(row: DatabaseRow, members: ReadonlySet<string>): void {
    const number = numberOf(row.ChatID);
    if (number === undefined) return;
    const others = [...members].filter((person) => person !== self);
    const token = tokenOf(row.Token);
    const isNotes = ((numberOf(row.Flags) ?? 0) & notesFlag) !== 0;
    const isDirect = token === undefined && !isNotes && others.length === 1;
    const type = numberOf(row.PGType);
    const conversation = isDirect
      ? this.#direct(others[0]!, number)
      : this.#known({
          id: token ?? `chat-${number}`,
          other: isNotes ? self : undefined,
          row: number,
          name: isNotes ? '' : (bareName(row.Name) ?? ''),
          isGroup: !isNotes,
          members: new Set(isNotes ? [self] : [self, ...others]),
          publicType: type === notPublic ? undefined : type,
        });
    this.#byChat.set(number, conversation);
  }

  #direct(other: string, row: number | undefined): Conversation {
    const members = new Set([self, other]);
    return this.#known({ id: other, other, row, name: '', isGroup: false, members, publicType: undefined });
  }

  #known(conversation: Conversation): Conversation {
    const known = this.#all.get(conversation.id);
    if (!known) this.#all.set(conversation.id, conversation);
    return known ?? conversation;
  }
}
