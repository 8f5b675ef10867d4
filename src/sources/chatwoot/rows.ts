import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { Described } from '../kit/described.ts';
import { ListDirectory } from '../kit/directory.ts';
import { problemEntry, invalidEntry, readEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow, BadRow } from '../kit/rows/json-entries.ts';
import { type ChatwootConversation, type ChatwootMessage, eventRows, msOf } from './format.ts';
import type { Layout } from './layout.ts';
import { readMessage } from './message.ts';
import { readPerson, readSender } from './people.ts';

export class Directory extends ListDirectory {
  /** The account of the first message that names one. */
  account: string | undefined;

  constructor() {
    // Any message of each conversation: a list has the last one alone, and so has an event, which may be behind its messages.
    super(new LastMessages('Lists and events have conversations of which no file has messages', true));
  }
}

/** A list of conversations, contacts or agents. */
export class ListFile extends ApiFile<Layout, Directory> {
  add({ value, location }: GoodRow, into: Entry[]): undefined {
    if (this.layout.kind === 'conversations') return this.#addConversation(value, location, into);
    const person = readPerson(value, this.layout.kind === 'contacts' ? 'contact' : 'user');
    this.addPerson(person, `Expected a person with an "id", found ${wordFor(value)}`, location, into);
    countAttributes(value, 'attributes of contacts', this.counts);
  }

  override addFault({ fault, location }: BadRow, into: Entry[]): void {
    into.push(this.bad(fault.code, fault.reason, location));
  }

  #addConversation(value: unknown, location: Location, into: Entry[]): undefined {
    const row = asObject<ChatwootConversation>(value);
    const id = asId(row?.id);
    if (id !== undefined && row?.message_type !== undefined) {
      into.push(invalidEntry('not-an-object', 'Expected a conversation, found a message', location, id));
      return;
    }
    const people = row && id !== undefined ? readPeople(row) : [];
    for (const person of people) this.directory.people.see(person, location, into);
    const record = row && id !== undefined ? readConversation(id, row, people) : undefined;
    const expected = `a conversation with an "id", found ${wordFor(value)}`;
    if (!this.directory.addConversation(record, expected, location, into)) return;
    this.directory.lastMessages.expect(id, id!, location);
    this.counts.add('chatwoot-not-migrated', 'labels', asArray(row!.labels).length);
    countAttributes(value, 'attributes of conversations', this.counts);
  }
}

function countAttributes(value: unknown, what: string, counts: CountedProblems): void {
  const { custom_attributes } = asObject<{ custom_attributes: unknown }>(value) ?? {};
  counts.add('chatwoot-not-migrated', what, Object.keys(asObject(custom_attributes) ?? {}).length);
}

function readPeople(row: Untrusted<ChatwootConversation>): readonly UserRecord[] {
  const { sender, assignee } = asObject<ChatwootConversation['meta']>(row.meta) ?? {};
  return [readPerson(sender, 'contact'), readPerson(assignee, 'user')].filter((one) => one !== undefined);
}

/** Messages of one conversation or of several. */
export class MessagesFile extends ApiFile<Layout, Directory> {
  readonly #described = new Described();

  add({ value, location }: GoodRow, into: Entry[]): undefined {
    const row = asObject<ChatwootMessage>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return;
    }
    const event = asString(row.event);
    const kind = event !== undefined && Object.hasOwn(eventRows, event) ? eventRows[event] : 'messages';
    if (kind === 'messages') this.#addMessage(row, location, into);
    else if (kind === 'conversations') this.#addConversation(row, location, into);
    else if (kind === 'contacts') {
      const person = readPerson(row, 'contact');
      if (person) this.people.see(person, location, into);
      else into.push(problemEntry('user-without-id', 'Expected a contact with an "id", found none', location));
      countAttributes(row, 'attributes of contacts', this.counts);
    } else this.counts.add('chatwoot-not-migrated', 'events without a message', 1);
  }

  /** The message next to it is that of another event. */
  #addConversation(row: Untrusted<ChatwootMessage>, location: Location, into: Entry[]): void {
    const id = asId(row.id);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'Expected a conversation with an "id", found none', location));
      return;
    }
    if (this.directory.isListed(id)) return;
    this.directory.lastMessages.expect(id, id, location);
    const people = readPeople(row as Untrusted<ChatwootConversation>);
    for (const person of people) this.people.see(person, location, into);
    const record = readConversation(id, row as Untrusted<ChatwootConversation>, people);
    this.#described.describe(record, location, into);
    const { labels } = row as Untrusted<ChatwootConversation>;
    this.counts.add('chatwoot-not-migrated', 'labels', asArray(labels).length);
    countAttributes(row, 'attributes of conversations', this.counts);
  }

  #addMessage(row: Untrusted<ChatwootMessage>, location: Location, into: Entry[]): void {
    const conversation = asId(row.conversation_id) ?? asId(asObject<{ id: number }>(row.conversation)?.id);
    if (conversation === undefined) {
      into.push(invalidEntry('chatwoot-no-conversation', 'Expected "conversation_id", found none', location));
      return;
    }
    const account = asId(row.account_id) ?? asId(asObject<{ id: number }>(row.account)?.id);
    this.directory.account ??= account;
    if (account !== undefined && account !== this.directory.account) {
      const reason = `Expected messages of account ${this.directory.account}, found account ${account}: both have a conversation of each number`;
      into.push(invalidEntry('chatwoot-no-conversation', reason, location));
      return;
    }
    this.directory.lastMessages.see(conversation);
    const isDescribed =
      this.directory.isListed(conversation) || this.#described.nameOf('conversation', conversation) !== undefined;
    if (!isDescribed) this.#described.describe(readConversation(conversation, {}, []), location, into);
    const sender = readSender(row);
    if (sender?.person) this.people.see(sender.person, location, into);
    const read = readMessage(row, { workspace: this.workspace, conversation, author: sender?.id });
    into.push(readEntry(read, location, conversation));
  }
}

function readConversation(
  id: string,
  row: Untrusted<ChatwootConversation>,
  people: readonly { readonly id: string; readonly name: string }[],
): ConversationRecord {
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: people[0]?.name ?? id,
    metadata: facts({ status: asString(row.status) }),
    createdAtMs: msOf(row.created_at),
    members: people.map((person) => person.id),
  });
}
