import type { Location } from '../../lib/text/location.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Entry } from '../../model/entry.ts';
import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { problemEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { ContactReference, IntercomAuthor, IntercomConversation, IntercomPerson } from './format.ts';

/** Beginnings of the ids that are made here: an id of the app that begins so is not taken, because it could be anyone's. */
const made = /^(?:admin|bot|team|contact|operator):/;

/** Id of a contact: the app's own id for the person, or the id of Intercom. */
const contactId = (id: string, externalId: string | undefined): string =>
  externalId === undefined || made.test(externalId) ? `contact:${id}` : externalId;

/** Ids of the app by the ids of contacts. */
export class Directory {
  readonly people = new DeskPeople();
  readonly #externalIds = new PackedMap();

  /** An entry of a list of contacts or admins. */
  add(value: unknown, location: Location, into: Entry[]): void {
    const person = asObject<IntercomPerson>(value);
    const id = asId(person?.id);
    if (id === undefined) {
      into.push(problemEntry('user-without-id', `Expected a person with an "id", found ${wordFor(value)}`, location));
      return;
    }
    const { type, name, email, external_id, avatar, created_at } = person!;
    const externalId = asId(external_id);
    if (type !== 'admin' && externalId !== undefined) this.#externalIds.set(id, externalId);
    const avatarUrl = asString(avatar) ?? asString(asObject<{ image_url: string }>(avatar)?.image_url);
    const createdAtMs = secondsToMs(created_at);
    this.people.list(
      {
        ...readPerson(type === 'admin' ? `admin:${id}` : contactId(id, externalId), { name, email }),
        ...(avatarUrl !== undefined && { avatarUrl }),
        ...(createdAtMs !== undefined && { createdAtMs }),
      },
      location,
      into,
    );
  }

  /** Contacts of a conversation, by their ids. */
  readContacts({ contacts, customers }: Untrusted<IntercomConversation>): ReadonlyMap<string, string> {
    const listed = asArray(asObject<IntercomConversation['contacts']>(contacts)?.contacts ?? customers);
    return new Map(
      listed.flatMap((value) => {
        const { id, external_id } = asObject<ContactReference>(value) ?? {};
        const known = asId(id);
        return known === undefined
          ? []
          : [[known, contactId(known, asId(external_id) ?? this.#externalIds.get(known))]];
      }),
    );
  }

  /** The author of a message, known by name without an id; undefined where Intercom leaves the author out. */
  readAuthor(value: unknown, contacts: ReadonlyMap<string, string>): UserRecord | undefined {
    const author = asObject<IntercomAuthor>(value);
    const id = asId(author?.id) ?? asString(author?.name);
    if (author === undefined || id === undefined) return undefined;
    const type = asString(author.type) ?? 'contact';
    const isContact = type === 'user' || type === 'lead' || type === 'contact';
    const own = isContact ? (contacts.get(id) ?? contactId(id, this.#externalIds.get(id))) : `${type}:${id}`;
    const isBot = type === 'bot' || author.from_ai_agent === true;
    return { ...readPerson(own, author), ...(isBot && { role: 'bot', isBot }) };
  }
}

function readPerson(id: string, { name, email }: { name?: unknown; email?: unknown }): UserRecord {
  const address = asString(email);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(name)?.trim() || (address ?? id),
    email: address,
  });
}
