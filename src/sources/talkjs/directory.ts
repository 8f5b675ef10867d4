import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import type { LastMessages } from '../kit/last-messages.ts';
import { asArray, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type TalkjsConversation, type TalkjsMessage, type TalkjsPerson, timeOf } from './format.ts';

/** Adds a person. Tokens for notifications are never read. */
export function addPerson(person: Untrusted<TalkjsPerson>, location: Location, into: Entry[]): void {
  const id = asString(person.id);
  if (id === undefined) {
    into.push(problemEntry('user-without-id', 'A person without "id"', location));
    return;
  }
  const [email] = asStrings(person.email);
  const avatarUrl = asString(person.photoUrl);
  const createdAtMs = timeOf(person.createdAt);
  const keys = ['role', 'phone', 'locale', 'welcomeMessage', 'availabilityText', 'custom'];
  const metadata = readMetadata(person, keys);
  into.push(
    recordEntry(
      {
        kind: 'user',
        id,
        name: asString(person.name) ?? id,
        ...(email !== undefined && { email }),
        ...(avatarUrl !== undefined && { avatarUrl }),
        role: 'member',
        ...(createdAtMs !== undefined && { createdAtMs }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      },
      location,
    ),
  );
}

interface ConversationPlace {
  readonly location: Location;
  readonly into: Entry[];
  readonly counts: CountedProblems;
  readonly lastMessages: LastMessages;
}

/** Adds a conversation. Two people may have several, so that none is a chat of two. */
export function addConversation(
  row: Untrusted<TalkjsConversation>,
  { location, into, counts, lastMessages }: ConversationPlace,
): void {
  const id = asString(row.id);
  if (id === undefined) {
    into.push(problemEntry('conversation-without-id', 'A conversation without "id"', location));
    return;
  }
  lastMessages.expect(asString(asObject<TalkjsMessage>(row.lastMessage)?.id), id, location);
  const members = Object.keys(asObject(row.participants) ?? {});
  counts.add('talkjs-not-migrated', 'rights and notifications of participants', members.length);
  const iconUrl = asString(row.photoUrl);
  const createdAtMs = timeOf(row.createdAt);
  const metadata = readMetadata(row, ['topicId', 'welcomeMessages', 'custom']);
  into.push(
    recordEntry(
      {
        kind: 'conversation',
        id,
        type: 'private',
        name: asString(row.subject) ?? id,
        ...(iconUrl !== undefined && { iconUrl }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        ...(createdAtMs !== undefined && { createdAtMs }),
        members,
      },
      location,
    ),
  );
}

function readMetadata(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, never> {
  const said = keys.flatMap((key) => {
    const value = row[key];
    const isEmpty = Array.isArray(value) ? asArray(value).length === 0 : Object.keys(Object(value)).length === 0;
    return value === undefined || value === null || value === '' || isEmpty ? [] : [[key, value] as const];
  });
  return Object.fromEntries(said) as Record<string, never>;
}
