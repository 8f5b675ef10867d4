import { type MemberLists, Members } from '../../model/members.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { Attachment, ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { Described } from '../kit/described.ts';
import { problemEntry } from '../kit/entries.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import {
  parseAttributes,
  readTime,
  type TwilioConversation,
  type TwilioMedia,
  type TwilioParticipant,
  type TwilioUser,
} from './format.ts';
import { readAttachment } from './message.ts';
import type { SmsPair } from './sms.ts';

const notMigrated = 'twilio-not-migrated';

/**
 * People and conversations, from the lists of the export or from one file of messages. Call `learn` for all rows first: a conversation has
 * its members in another list. In memory: some 40 bytes for each participant, and what `Members` holds.
 */
export class Directory {
  /** Identities by the sid of a participant. */
  readonly #participants = new PackedMap();
  readonly #members = new Members();
  /** Files of text messages, by the sid of the message: some 300 bytes each. */
  readonly #media = new Map<unknown, Attachment[]>();
  /** Described by a list of users. */
  readonly #users = new Set<string>();
  readonly #described = new Described();
  readonly #counts: CountedProblems;
  readonly #around: Directory | undefined;

  /** @param around Lists of the export, for the rows of a file of messages. */
  constructor(counts: CountedProblems, around?: Directory) {
    this.#counts = counts;
    this.#around = around;
  }

  learnPerson(user: Untrusted<TwilioUser>): void {
    const id = asString(user.identity);
    if (id !== undefined) this.#users.add(id);
  }

  learnMember(row: Untrusted<TwilioParticipant>): void {
    const id = addressOf(row);
    const conversation = conversationOf(row);
    if (id === undefined) return;
    const sid = asString(row.sid);
    if (sid !== undefined) this.#participants.set(sid, id);
    if (conversation === undefined) return;
    this.#members.add(conversation, id, { joinedAtMs: readTime(row.date_created) });
  }

  learnMedia(row: Untrusted<TwilioMedia>): void {
    const parent = asString(row.parent_sid);
    const file = readAttachment(row);
    if (parent !== undefined && file !== undefined) this.#media.set(parent, [...(this.#media.get(parent) ?? []), file]);
  }

  /** Files of a text message. */
  mediaOf = (sid: unknown): readonly Attachment[] => this.#media.get(sid) ?? this.#around?.mediaOf(sid) ?? [];

  identityOf = (participantSid: string): string | undefined =>
    this.#participants.get(participantSid) ?? this.#around?.identityOf(participantSid);

  addPerson(user: Untrusted<TwilioUser>, location: Location, into: Entry[]): void {
    const id = asString(user.identity);
    if (id === undefined) {
      into.push(problemEntry('user-without-id', 'A user without "identity"', location));
      return;
    }
    this.#count(user, 'profile-detail-not-migrated', { role_sid: 'roles of users' });
    this.#described.describe(readPerson(id, user.friendly_name, user), location, into);
  }

  /** An identity alone describes nobody; an address outside the chat is all that is known of a person. */
  addMember(row: Untrusted<TwilioParticipant>, location: Location, into: Entry[]): void {
    const id = addressOf(row);
    if (id === undefined) {
      into.push(problemEntry('user-without-id', 'A participant without "identity" and without an address', location));
      return;
    }
    this.#count(row, notMigrated, {
      role_sid: 'roles of participants',
      last_read_message_index: 'read positions',
      last_consumed_message_index: 'read positions',
    });
    const binding = asObject<NonNullable<TwilioParticipant['messaging_binding']>>(row.messaging_binding);
    const isOutside = binding !== undefined && asString(row.identity) === undefined;
    if (!isOutside || this.isUser(id)) return;
    const isMail = asString(binding.type)?.toLowerCase() === 'email';
    this.#described.describe(readPerson(id, binding.name, row, isMail ? id : undefined), location, into);
  }

  addConversation(row: Untrusted<TwilioConversation>, location: Location, into: Entry[]): void {
    const id = asString(row.sid);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'A conversation without "sid"', location));
      return;
    }
    if (Object.keys(asObject(row.timers) ?? {}).length > 0) this.#counts.add(notMigrated, 'timers of conversations');
    const people = new Members();
    if (this.#around) people.addLists({ id, ...this.#around.membersOf(id) });
    people.addLists({ id, ...this.membersOf(id) });
    this.#described.describe(readConversation(id, row, people.of(id)), location, into);
  }

  /** Two addresses that write text messages to each other. */
  addPair({ id, members }: SmsPair, location: Location, into: Entry[]): void {
    for (const address of members)
      if (!this.isUser(address))
        this.#described.describe({ kind: 'user', id: address, name: address, isPlaceholder: true }, location, into);
    this.#described.describe(
      { kind: 'conversation', id, type: 'direct', name: '', members: members.toSorted() },
      location,
      into,
    );
  }

  membersOf = (conversation: string): MemberLists => this.#members.of(conversation);

  isUser = (id: string): boolean => this.#users.has(id) || (this.#around?.isUser(id) ?? false);

  #count(row: Readonly<Record<string, unknown>>, code: string, named: Readonly<Record<string, string>>): void {
    for (const [key, what] of Object.entries(named))
      if (row[key] !== undefined && row[key] !== null && row[key] !== '') this.#counts.add(code, what);
  }
}

const conversationOf = (row: Untrusted<TwilioParticipant>): string | undefined =>
  asString(row.conversation_sid) ?? asString(row.channel_sid);

const addressOf = (row: Untrusted<TwilioParticipant>): string | undefined =>
  asString(row.identity) ?? asString(asObject<{ address: string }>(row.messaging_binding)?.address);

function readPerson(
  id: string,
  name: unknown,
  { attributes, date_created }: Untrusted<TwilioUser>,
  email?: string,
): UserRecord {
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(name) ?? id,
    email,
    role: 'member',
    createdAtMs: readTime(date_created),
    metadata: facts({ attributes: parseAttributes(attributes) as never }),
  });
}

function readConversation(id: string, row: Untrusted<TwilioConversation>, lists: MemberLists): ConversationRecord {
  const uniqueName = asString(row.unique_name);
  const creator = asString(row.created_by);
  const [attributes, bindings] = [row.attributes, row.bindings].map((value) => parseAttributes(value) as never);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: row.type === 'public' ? 'public' : 'private',
    name: asString(row.friendly_name) ?? uniqueName ?? id,
    metadata: facts({ uniqueName, attributes, bindings, state: asString(row.state) }),
    creator: creator === 'system' ? undefined : creator,
    createdAtMs: readTime(row.date_created),
    ...(row.state === 'closed' && { isArchived: true }),
    ...lists,
  });
}
