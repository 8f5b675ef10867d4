import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type GorgiasMessage, type GorgiasPerson, type GorgiasSource, type GorgiasTicket, msOf } from './format.ts';

export type Side = 'agent' | 'customer';

/** Agents and customers are kept apart by their side: a wrong merge would give one the words of the other. */
export const personId = (side: Side, id: string): string => `${side}:${id}`;

export function readPerson(value: unknown, side: Side): UserRecord | undefined {
  const person = asObject<GorgiasPerson>(value);
  const id = asId(person?.id);
  if (person === undefined || id === undefined) return undefined;
  const email = asString(person.email);
  const names = [asString(person.firstname), asString(person.lastname)].filter(Boolean).join(' ');
  const picture = asObject<NonNullable<GorgiasPerson['meta']>>(person.meta);
  const role = asString(asObject<GorgiasPerson['role']>(person.role)?.name);
  return compact<UserRecord>({
    kind: 'user',
    id: personId(side, id),
    name: asString(person.name) ?? (names || email || personId(side, id)),
    handle: asId(person.external_id),
    email,
    avatarUrl: asString(picture?.profile_picture_url) ?? asString(picture?.avatar_url),
    role: role === undefined ? undefined : role === 'admin' ? role : 'member',
    isDeleted: (side === 'agent' && person.active === false) || undefined,
    createdAtMs: msOf(person.created_datetime),
  });
}

/** The author of a message. One without an id is known by the name, or by the address of the mail. */
export function readAuthor(row: Untrusted<GorgiasMessage>): UserRecord | undefined {
  const from = asObject<GorgiasSource['from']>(asObject<GorgiasSource>(row.source)?.from);
  const mailed = { id: from?.address, name: from?.name, email: from?.address };
  const sender: Untrusted<GorgiasPerson> = asObject(row.sender) ?? mailed;
  const id = asId(sender.id) ?? asString(sender.name) ?? asString(sender.email);
  return readPerson({ ...sender, id }, row.from_agent === true ? 'agent' : 'customer');
}

/** People of a ticket, the customer first, or of a message. */
export const readPeople = (row: Untrusted<GorgiasTicket & GorgiasMessage>): readonly UserRecord[] =>
  [readPerson(row.customer, 'customer'), readPerson(row.assignee_user, 'agent'), readAuthor(row)].filter(
    (one) => one !== undefined,
  );

export function readConversation(row: Untrusted<GorgiasTicket>): ConversationRecord | undefined {
  const id = asId(row.id);
  const members = readPeople(row);
  if (id === undefined) return undefined;
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: asString(row.subject) ?? members[0]?.name ?? id,
    metadata: facts({ status: asString(row.status), channel: asString(row.channel) }),
    createdAtMs: msOf(row.created_datetime),
    members: members.map((person) => person.id),
  });
}
