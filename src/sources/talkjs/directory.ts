import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, ownFacts } from '../kit/compact.ts';
import { asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { type TalkjsConversation, type TalkjsPerson, timeOf } from './format.ts';

/** A person; undefined without an id. Tokens for notifications are never read. */
export function readPerson(person: Untrusted<TalkjsPerson>): UserRecord | undefined {
  const id = asString(person.id);
  if (id === undefined) return undefined;
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(person.name) ?? id,
    email: asStrings(person.email)[0],
    phone: asStrings(person.phone)[0],
    avatarUrl: asString(person.photoUrl),
    role: 'member',
    createdAtMs: timeOf(person.createdAt),
    metadata: ownFacts(person, ['role', 'locale', 'welcomeMessage', 'availabilityText', 'custom']),
  });
}

/** A conversation; undefined without an id. Two people may have several, so that none is a chat of two. */
export function readConversation(row: Untrusted<TalkjsConversation>): ConversationRecord | undefined {
  const id = asString(row.id);
  if (id === undefined) return undefined;
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: asString(row.subject) ?? id,
    iconUrl: asString(row.photoUrl),
    metadata: ownFacts(row, ['topicId', 'welcomeMessages', 'custom']),
    createdAtMs: timeOf(row.createdAt),
    members: Object.keys(asObject(row.participants) ?? {}),
  });
}
