import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { Seen } from './described.ts';
import { DeskPeople } from './desk/desk-people.ts';
import { problemEntry, recordEntry } from './entries.ts';
import { LastMessages } from './last-messages.ts';

/**
 * Facts from the lists of an export, for its files of messages. Lists are read first.
 *
 *     directory.addPerson(readAgent(row), 'an agent with an "id"', location, into);
 *     if (directory.addConversation(conversation, 'a conversation with an "id"', location, into))
 *       directory.lastMessages.expect(id, id, location);
 *     const describe = directory.describer(); // for one file of messages
 *     describe(id, () => readConversation(id, {}), location, into);
 *
 * Memory: about 60 bytes for each person and conversation.
 */
export class ListDirectory {
  readonly people = new DeskPeople();
  /** Named by lists: files of messages must have them. */
  readonly lastMessages: LastMessages;
  readonly #listed = new Set<string>();

  constructor(lastMessages = new LastMessages()) {
    this.lastMessages = lastMessages;
  }

  isListed(conversation: string): boolean {
    return this.#listed.has(conversation);
  }

  /** @param expected A row as it should be: `a person with an "id"`. @returns whether it is a person. */
  addPerson(person: UserRecord | undefined, expected: string, location: Location, into: Entry[]): boolean {
    if (person) this.people.list(person, location, into);
    else into.push(problemEntry('user-without-id', `Expected ${expected}`, location));
    return person !== undefined;
  }

  addConversation(
    record: ConversationRecord | undefined,
    expected: string,
    location: Location,
    into: Entry[],
  ): boolean {
    if (record) {
      this.#listed.add(record.id);
      into.push(recordEntry(record, location));
    } else into.push(problemEntry('conversation-without-id', `Expected ${expected}`, location));
    return record !== undefined;
  }

  /** Describes, once in a file of messages, a conversation that no list has. */
  describer(): (id: string, make: () => ConversationRecord, location: Location, into: Entry[]) => void {
    const described = new Seen();
    return (id, make, location, into) => {
      if (!this.#listed.has(id) && described.add(id)) into.push(recordEntry(make(), location));
    };
  }

  /** Describes, once in a file of messages, the conversation and the people that a row names and no list has. */
  rowDescriber<Row>(
    conversationIn: (row: Row) => ConversationRecord | undefined,
    peopleIn: (row: Row) => readonly (UserRecord | undefined)[],
  ): (row: Row, location: Location, into: Entry[]) => void {
    const people = this.people.inFile();
    const describe = this.describer();
    return (row, location, into) => {
      const conversation = conversationIn(row);
      if (conversation) describe(conversation.id, () => conversation, location, into);
      for (const person of peopleIn(row)) if (person) people.see(person, location, into);
    };
  }
}
