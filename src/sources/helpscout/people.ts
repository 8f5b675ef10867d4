import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type HelpScoutPerson, type HelpScoutThread, msOf } from './format.ts';

/** Beginnings of ids, by type. An assistant is a user, as version 2 of the API says too. */
const spaces: Readonly<Record<string, string>> = {
  customer: 'customer',
  user: 'user',
  system_user: 'user',
  team: 'team',
};

/** @param type If the person does not say it. @returns undefined without an id, or if it is not known whose number it is. */
export function readPerson(value: unknown, type?: 'customer' | 'user'): UserRecord | undefined {
  const person = asObject<HelpScoutPerson>(value);
  const id = asId(person?.id);
  const said = asString(person?.type) ?? type ?? '';
  const space = Object.hasOwn(spaces, said) ? spaces[said] : undefined;
  // 0 is no person.
  if (person === undefined || id === undefined || id === '0' || space === undefined) return undefined;
  const own = `${space}:${id}`;
  const email = emailOf(person);
  const isBot = said === 'system_user';
  const role = asString(person.role);
  return compact<UserRecord>({
    kind: 'user',
    id: own,
    name: nameOf(person) || (email ?? own),
    email,
    avatarUrl: asString(person.photoUrl),
    ...(isBot && { role: 'bot', isBot }),
    ...((role === 'owner' || role === 'admin') && { role }),
    createdAtMs: msOf(person.createdAt),
  });
}

function nameOf({ first, firstName, last, lastName }: Untrusted<HelpScoutPerson>): string {
  return [asString(first) ?? asString(firstName), asString(last) ?? asString(lastName)]
    .filter(Boolean)
    .join(' ')
    .trim();
}

/** Lists of customers have their addresses in a list. */
function emailOf({ email, _embedded }: Untrusted<HelpScoutPerson>): string | undefined {
  const [first] = asArray(asObject<HelpScoutPerson['_embedded']>(_embedded)?.emails);
  return asString(email) ?? asString(asObject<{ value: string }>(first)?.value);
}

/** The author of a thread: the customer who began it, or who created it. Who has no id is known by name. */
export function readAuthor(thread: Untrusted<HelpScoutThread>): UserRecord | undefined {
  const creator = readPerson(withIdOrName(thread.createdBy));
  if (thread.type !== 'customer' || creator?.id.startsWith('customer:')) return creator;
  return readPerson(withIdOrName(thread.customer), 'customer') ?? creator;
}

function withIdOrName(value: unknown): unknown {
  const person = asObject<HelpScoutPerson>(value);
  return person && { ...person, id: asId(person.id) ?? (nameOf(person) || undefined) };
}
