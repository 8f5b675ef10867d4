import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, ownFacts } from '../kit/compact.ts';
import { Described } from '../kit/described.ts';
import { problemEntry } from '../kit/entries.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type PubnubChannel, type PubnubPerson, tokenOf } from './format.ts';

type Member = Untrusted<{ readonly uuid: unknown; readonly channel: unknown }>;

/** People, channels and members of App Context. In memory: ids of members by channel, and what `Described` holds. */
export class Directory {
  readonly #members = new Map<string, Set<string>>();
  readonly #people = new Set<string>();
  readonly #pins = new Set<string>();
  readonly #described = new Described();
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  isPinned = (channel: string, token: string): boolean => this.#pins.has(`${channel} ${token}`);

  addPerson(value: unknown, location: Location, into: Entry[], isMember = false): void {
    const person = asObject<PubnubPerson>(value) ?? {};
    const id = asId(person.id);
    if (id === undefined) into.push(problemEntry('user-without-id', 'A person without "id"', location));
    else if (!isMember || (!this.#people.has(id) && asString(person.name) !== undefined)) {
      if (!isMember) this.#people.add(id);
      this.#described.describe(readPerson(id, person), location, into);
    }
  }

  /** @param channel The channel of the list, as the user names it. Rows that were fetched name it themselves. */
  addMember({ uuid, channel: of }: Member, channel: string | undefined, location: Location, into: Entry[]): void {
    if (uuid === undefined) {
      this.#counts.add('pubnub-not-migrated', 'channels of a person whom the list does not name');
      if (asObject<PubnubChannel>(of)?.name !== undefined) this.addChannel(of, location, into);
      return;
    }
    this.addPerson(asObject(uuid) ?? { id: uuid }, location, into, true);
    const id = asId(asObject<PubnubPerson>(uuid)?.id) ?? asId(uuid);
    const named = channel ?? asString(of);
    if (named === undefined) {
      const reason = 'Nothing names the channel of the member';
      into.push(problemEntry('pubnub-members-of-unknown', reason, location));
    } else if (id !== undefined) this.#members.set(named, (this.#members.get(named) ?? new Set()).add(id));
  }

  /** Call it when all members are known. */
  addChannel(value: unknown, location: Location, into: Entry[]): void {
    const channel = asObject<PubnubChannel>(value) ?? {};
    const id = asId(channel.id);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'A channel without "id"', location));
      return;
    }
    const custom = asObject<PubnubChannel['custom']>(channel.custom);
    const pin = tokenOf(custom?.pinnedMessageTimetoken);
    if (pin !== undefined) this.#pins.add(`${asString(custom?.pinnedMessageChannelID) ?? id} ${pin}`);
    this.#described.describe(readChannel(id, channel, [...(this.#members.get(id) ?? [])]), location, into);
  }
}

function readPerson(id: string, person: Untrusted<PubnubPerson>): UserRecord {
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(person.name) ?? id,
    email: asString(person.email),
    avatarUrl: asString(person.profileUrl),
    role: 'member',
    metadata: ownFacts(person, ['externalId', 'custom', 'type', 'status']),
  });
}

function readChannel(id: string, channel: Untrusted<PubnubChannel>, members: string[]): ConversationRecord {
  const isDirect = channel.type === 'direct' && members.length === 2;
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: isDirect ? 'direct' : channel.type === 'public' ? 'public' : 'private',
    name: isDirect ? '' : (asString(channel.name) ?? id),
    description: asString(channel.description),
    metadata: ownFacts(channel, ['custom', 'type', 'status']),
    members,
  });
}
