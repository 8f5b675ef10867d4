import type { UserRecord } from '../../model/records.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type ChatEvent, msOf, type ZendeskChat, type ZendeskUser } from './format.ts';

/** A person of Support; undefined without an id. */
export function userOf(value: unknown): UserRecord | undefined {
  const user = asObject<ZendeskUser>(value);
  const id = asId(user?.id);
  if (user === undefined || id === undefined) return undefined;
  const email = asString(user.email);
  const avatarUrl = asString(asObject<NonNullable<ZendeskUser['photo']>>(user.photo)?.content_url);
  const createdAtMs = msOf(user.created_at);
  const externalId = asId(user.external_id);
  const isStaff = user.role === 'admin' || user.role === 'agent';
  return {
    kind: 'user',
    id,
    name: asString(user.name) ?? email ?? id,
    ...(email !== undefined && { email }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(isStaff && { role: user.role === 'admin' ? 'admin' : 'member' }),
    ...(user.active === false && { isDeleted: true }),
    ...(createdAtMs !== undefined && { createdAtMs }),
    ...(externalId !== undefined && { metadata: { externalId } }),
  };
}

/** The visitor of a chat: a person of Chat, which numbers people apart from Support. */
export function visitorOf({ visitor, id }: Untrusted<ZendeskChat>): UserRecord {
  const given = asObject<NonNullable<ZendeskChat['visitor']>>(visitor);
  const visitorId = asId(given?.id);
  const email = asString(given?.email);
  return {
    kind: 'user',
    id: visitorId === undefined ? `visitor:chat:${asId(id) ?? ''}` : `visitor:${visitorId}`,
    name: asString(given?.name) ?? email ?? visitorId ?? 'Visitor',
    ...(email !== undefined && { email }),
  };
}

/** Returns the person behind an event of a chat; undefined if it names none. */
export function actorOf(event: Untrusted<ChatEvent>, visitor: UserRecord): UserRecord | undefined {
  const nick = asString(event.nick);
  if (nick === 'visitor' || nick?.startsWith('visitor:') || event.sender_type === 'Visitor') return visitor;
  const isBot = event.sender_type === 'Trigger' || nick === 'agent:trigger';
  if (nick === undefined) return undefined;
  const id = nick.startsWith('agent:') ? nick : `agent:${nick}`;
  return {
    kind: 'user',
    id,
    name: asString(event.name) ?? id,
    ...(isBot && { role: 'bot', isBot }),
  };
}
