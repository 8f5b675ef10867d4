import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type FreshchatMessage, type FreshchatPerson, msOf } from './format.ts';

/** A user or agent of a list; undefined without an id. */
export function readPerson(person: Untrusted<FreshchatPerson>, kind: 'user' | 'agent'): UserRecord | undefined {
  const id = asId(person.id);
  if (id === undefined) return undefined;
  const own = `${kind}:${id}`;
  const name = [asString(person.first_name), asString(person.last_name)].filter(Boolean).join(' ');
  const email = asString(person.email);
  return compact<UserRecord>({
    kind: 'user',
    id: own,
    name: name || email || own,
    handle: asId(person.reference_id),
    email,
    avatarUrl: asString(asObject<FreshchatPerson['avatar']>(person.avatar)?.url),
    ...((person.is_deactivated === true || person.is_deleted === true) && { isDeleted: true }),
    createdAtMs: msOf(person.created_time),
  });
}

/** Returns the author of a message: one without an id is the system; undefined if the author is not known. */
export function readAuthor(row: Untrusted<FreshchatMessage>): { readonly id?: string } | undefined {
  const id = asId(row.actor_id);
  switch (row.actor_type) {
    case 'system':
      return {};
    case 'bot':
      return { id: id === undefined ? 'bot' : `bot:${id}` };
    case 'user':
    case 'agent':
      return id === undefined ? undefined : { id: `${row.actor_type}:${id}` };
    default:
      return undefined;
  }
}

/** Bots are in no list. */
export const makeBot = (id: string): UserRecord => ({ kind: 'user', id, name: 'Bot', role: 'bot', isBot: true });
