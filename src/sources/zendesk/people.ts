import type { UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { idByName } from '../kit/message-names.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type ChatEvent, msOf, type ZendeskChat, type ZendeskUser } from './format.ts';

/** A person of Support; undefined without an id. */
export function readUser(value: unknown): UserRecord | undefined {
  const user = asObject<ZendeskUser>(value);
  const id = asId(user?.id);
  if (user === undefined || id === undefined) return undefined;
  const email = asString(user.email);
  const isStaff = user.role === 'admin' || user.role === 'agent';
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(user.name) ?? email ?? id,
    email,
    avatarUrl: asString(asObject<NonNullable<ZendeskUser['photo']>>(user.photo)?.content_url),
    ...(isStaff && { role: user.role === 'admin' ? 'admin' : 'member' }),
    ...(user.active === false && { isDeleted: true }),
    createdAtMs: msOf(user.created_at),
    metadata: facts({ externalId: asId(user.external_id) }),
  });
}

/** The visitor of a chat: a person of Chat, which numbers people apart from Support. */
export function readVisitor({ visitor, id }: Untrusted<ZendeskChat>): UserRecord {
  const given = asObject<NonNullable<ZendeskChat['visitor']>>(visitor);
  const visitorId = asId(given?.id);
  const email = asString(given?.email);
  return compact<UserRecord>({
    kind: 'user',
    id: visitorId === undefined ? `visitor:chat:${asId(id) ?? ''}` : `visitor:${visitorId}`,
    name: asString(given?.name) ?? email ?? visitorId ?? 'Visitor',
    email,
  });
}

/** Returns the person behind an event of a chat; undefined if it names none. */
export function findActor(event: Untrusted<ChatEvent>, visitor: UserRecord): UserRecord | undefined {
  const nick = asString(event.nick);
  if (nick === 'visitor' || nick?.startsWith('visitor:') || event.sender_type === 'Visitor') return visitor;
  const isBot = event.sender_type === 'Trigger' || nick === 'agent:trigger' || event.type === 'chat.triggermsg';
  const name = asString(event.name);
  const id = nick?.startsWith('agent:') ? nick : idByName('agent', nick ?? name);
  if (id === undefined) return undefined;
  return {
    kind: 'user',
    id,
    name: name ?? id,
    ...(isBot && { role: 'bot', isBot }),
  };
}
