import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { ListDirectory } from '../kit/directory.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { AnswerRow } from '../kit/rows/answer-rows.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type FreshchatConversation, type FreshchatPerson, msOf } from './format.ts';
import type { FreshchatKind } from './layout.ts';
import { readAuthor, makeBot, readPerson } from './people.ts';

const code = 'freshchat-not-migrated';

export class Directory extends ListDirectory {
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    // Any message of each listed conversation: lists do not name the last one.
    super(new LastMessages('Lists have conversations of which no file has messages'));
    this.#counts = counts;
  }

  addListed(kind: FreshchatKind, row: AnswerRow, location: Location, into: Entry[]): void {
    if (kind === 'conversations') this.#addConversation(row, location, into);
    else this.#addPerson(row, kind === 'users' ? 'user' : 'agent', location, into);
  }

  #addPerson(row: Untrusted<FreshchatPerson>, kind: 'user' | 'agent', location: Location, into: Entry[]): void {
    this.addPerson(readPerson(row, kind), 'a person with an "id"', location, into);
    this.#counts.add(code, 'properties of people', asArray(row.properties).length);
    const details = [row.phone, row.biography].filter((value) => asString(value) !== undefined).length;
    const profiles = asArray(row.social_profiles).length;
    this.#counts.add(code, 'telephone numbers, biographies and profiles of people', details + profiles);
  }

  #addConversation(row: Untrusted<FreshchatConversation>, location: Location, into: Entry[]): void {
    const id = asId(row.conversation_id) ?? asId(row.id);
    const record = id === undefined ? undefined : readConversation(id, row);
    if (!this.addConversation(record, 'a conversation with an id', location, into)) return;
    this.lastMessages.expect(id, id!, location);
    const properties = Array.isArray(row.properties) ? row.properties : Object.keys(asObject(row.properties) ?? {});
    this.#counts.add(code, 'properties of conversations', properties.length);
  }

  /** For one file of messages. */
  newDescriber(): (row: AnswerRow, location: Location, into: Entry[]) => void {
    return this.rowDescriber(
      (row) => {
        const id = asId(row.conversation_id);
        return id === undefined ? undefined : readConversation(id, {});
      },
      (row) => {
        const author = row.actor_type === 'bot' ? readAuthor(row)?.id : undefined;
        return author === undefined ? [] : [makeBot(author)];
      },
    );
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
