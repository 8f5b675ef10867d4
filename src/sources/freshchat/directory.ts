import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { Seen } from '../kit/described.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { AnswerRow } from '../kit/rows/answer-rows.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type FreshchatConversation, type FreshchatPerson, msOf } from './format.ts';
import { readAuthor, makeBot, readPerson } from './people.ts';

const code = 'freshchat-not-migrated';

/** Facts from lists: about 60 bytes for each person and conversation. */
export class Directory {
  /** Any message of each listed conversation: lists do not name the last one. */
  readonly lastMessages = new LastMessages('Lists have conversations of which no file has messages');
  readonly #counts: CountedProblems;
  readonly #people = new DeskPeople();
  readonly #listed = new Set<string>();

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  addPerson(row: Untrusted<FreshchatPerson>, kind: 'user' | 'agent', location: Location, into: Entry[]): void {
    const person = readPerson(row, kind);
    if (person) this.#people.list(person, location, into);
    else into.push(problemEntry('user-without-id', `Expected a person with an "id", found none`, location));
    this.#counts.add(code, 'properties of people', asArray(row.properties).length);
    const details = [row.phone, row.biography].filter((value) => asString(value) !== undefined).length;
    const profiles = asArray(row.social_profiles).length;
    this.#counts.add(code, 'telephone numbers, biographies and profiles of people', details + profiles);
  }

  addConversation(row: Untrusted<FreshchatConversation>, location: Location, into: Entry[]): void {
    const id = asId(row.conversation_id) ?? asId(row.id);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'Expected a conversation with an id, found none', location));
      return;
    }
    this.#listed.add(id);
    this.lastMessages.expect(id, id, location);
    into.push(recordEntry(readConversation(id, row), location));
    const properties = Array.isArray(row.properties) ? row.properties : Object.keys(asObject(row.properties) ?? {});
    this.#counts.add(code, 'properties of conversations', properties.length);
  }

  /** For one file of messages. */
  newDescriber(): (row: AnswerRow, location: Location, into: Entry[]) => void {
    const people = this.#people.inFile();
    const described = new Seen();
    return (row, location, into) => {
      const id = asId(row.conversation_id);
      if (id !== undefined && !this.#listed.has(id) && described.add(id))
        into.push(recordEntry(readConversation(id, {}), location));
      const author = row.actor_type === 'bot' ? readAuthor(row)?.id : undefined;
      if (author !== undefined) people.see(makeBot(author), location, into);
    };
  }
}

function readConversation(id: string, row: Untrusted<FreshchatConversation>): ConversationRecord {
  const users = [row.user_id, ...asArray(row.users).map((user) => asObject<{ id: string }>(user)?.id)];
  const agent = asId(row.assigned_agent_id);
  const members = users.flatMap((user) => asId(user) ?? []).map((user) => `user:${user}`);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: id,
    metadata: facts({ status: asString(row.status) }),
    createdAtMs: msOf(row.created_time),
    members: [...new Set([...members, ...(agent === undefined ? [] : [`agent:${agent}`])])],
  });
}
