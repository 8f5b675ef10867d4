import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { recordEntry } from '../kit/entries.ts';
import { asString, asWord } from '../kit/narrow.ts';
import { peerOf, personId } from './format.ts';

/** Fields of a chat that come before its messages in the file. */
export type ChatFields = ReadonlyMap<string, unknown>;

const direct: ReadonlySet<unknown> = new Set([
  'personal_chat',
  'bot_chat',
  'replies',
  'verification_codes',
  'saved_messages',
]);

/** Whether two people, or one alone, talk there. */
export const isDirect = (chat: ChatFields): boolean => direct.has(chat.get('type'));

/**
 * Returns whom or what the chat is with, as messages write it: `user1`, `chat1`, `channel1`. Ids of groups and channels
 * may be equal, so the type is part of the id. A chat with oneself has one's own id.
 */
export function findChatId(chat: ChatFields): string | undefined {
  if (isDirect(chat)) return personId(chat.get('id'));
  const peer = peerOf(chat.get('id'));
  if (peer === undefined || !peer.startsWith('user')) return peer;
  const isChannel = /channel|supergroup/.test(asWord(chat.get('type')));
  return peer.replace('user', isChannel ? 'channel' : 'chat');
}

/**
 * @param self Owner of the export, if known.
 */
export function readConversation(chat: ChatFields, id: string, self: string | undefined): ConversationRecord {
  const type = chat.get('type');
  const name = asString(chat.get('name')) ?? '';
  if (type === 'saved_messages') return { kind: 'conversation', id, type: 'direct', name: '', members: [id] };
  if (!isDirect(chat)) {
    const isPublic = asWord(type).startsWith('public');
    return { kind: 'conversation', id, type: isPublic ? 'public' : 'private', name, members: [] };
  }
  if (self === undefined || self === id) return { kind: 'conversation', id, type: 'private', name, members: [id] };
  return { kind: 'conversation', id, type: 'direct', name: '', members: [self, id] };
}

/** The other one of a chat of two, as the chat is called after them. */
export function findOther(chat: ChatFields, id: string): UserRecord | undefined {
  if (!isDirect(chat) || chat.get('type') === 'saved_messages') return undefined;
  const person = personNamed(id, asString(chat.get('name')) ?? otherNames[asWord(chat.get('type'))]);
  return chat.get('type') === 'bot_chat' ? { ...person, isBot: true } : person;
}

/** The program writes no name for its own chats. */
const otherNames: Readonly<Record<string, string>> = { replies: 'Replies', verification_codes: 'Verification codes' };

/** An account that was deleted has no name. */
const personNamed = (id: string, name: string | undefined): UserRecord =>
  name === undefined ? { kind: 'user', id, name: 'Deleted account', isDeleted: true } : { kind: 'user', id, name };

/** The people of a file, each described once: names are those of the time of the export, and the same in every row. */
export class People {
  readonly #seen = new Seen();

  /** @param person Described by more than what a row says: it stays so. */
  add(person: UserRecord, location: Location, into: Entry[]): void {
    if (this.#seen.add(person.id)) into.push(recordEntry(person, location));
  }

  /** Adds a person whom a row names. */
  addNamed(id: string, name: unknown, location: Location, into: Entry[]): void {
    if (this.#seen.add(id)) into.push(recordEntry(personNamed(id, asString(name)), location));
  }
}
