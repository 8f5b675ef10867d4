import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { idOf, type LayerConversation, type LayerPerson, personIdOf, timeOf } from './format.ts';

export function addPerson(person: Untrusted<LayerPerson>, location: Location, into: Entry[]): void {
  const id = personIdOf(person);
  if (id === undefined) {
    into.push(problemEntry('user-without-id', 'A person without "user_id"', location));
    return;
  }
  const names = [asString(person.first_name), asString(person.last_name)].filter((name) => name !== undefined);
  const avatarUrl = asString(person.avatar_url);
  const email = asString(person.email_address);
  const phone = asString(person.phone_number);
  const own = asObject(person.metadata) as Readonly<Record<string, never>> | undefined;
  const metadata = { ...own, ...(phone !== undefined && { phone_number: phone }) };
  into.push(
    recordEntry(
      {
        kind: 'user',
        id,
        name: (asString(person.display_name) ?? names.join(' ')) || id,
        ...(email !== undefined && { email }),
        ...(avatarUrl !== undefined && { avatarUrl }),
        role: 'member',
        ...(asString(person.type)?.toLowerCase() === 'bot' && { isBot: true }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      },
      location,
    ),
  );
}

/** A distinct conversation of two people is the only one that these have. */
export function addConversation(row: Untrusted<LayerConversation>, location: Location, into: Entry[]): void {
  const id = idOf(row.id);
  if (id === undefined) {
    into.push(problemEntry('conversation-without-id', 'A conversation without "id"', location));
    return;
  }
  const people = asArray(row.participants).map((value) =>
    typeof value === 'string' ? { id: value } : (asObject<LayerPerson>(value) ?? {}),
  );
  const members = [...new Set(people.flatMap((person) => personIdOf(person) ?? []))];
  const createdAtMs = timeOf(row.created_at);
  const metadata = (asObject(row.metadata) ?? {}) as Readonly<Record<string, never>>;
  const isDirect = row.distinct === true && members.length === 2 && people.length === 2;
  const title = asString(metadata.title);
  into.push(
    recordEntry(
      {
        kind: 'conversation',
        id,
        type: isDirect ? 'direct' : 'private',
        name: title ?? (isDirect ? '' : id),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        ...(createdAtMs !== undefined && { createdAtMs }),
        members,
      },
      location,
    ),
  );
}

/** People who are described inside of a conversation. */
export const participantsOf = (row: Untrusted<LayerConversation>): readonly Untrusted<LayerPerson>[] =>
  asArray(row.participants).flatMap((value) => asObject<LayerPerson>(value) ?? []);
