import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { ChatGroup, ChatPerson } from './format.ts';

type Person = Untrusted<ChatPerson>;

/** Addresses are ids; who has none any more is known by name. */
export const personId = ({ email, name }: Person): string | undefined =>
  asString(email)?.toLowerCase() ?? asString(name);

export function readUser(person: Person): UserRecord | undefined {
  const id = personId(person);
  if (id === undefined) return undefined;
  const email = asString(person.email);
  return {
    kind: 'user',
    id,
    name: asString(person.name) ?? id,
    ...(email !== undefined && { email }),
    ...(person.user_type === 'Bot' && { isBot: true }),
  };
}

/** `DM AbC`, `Space AAAA`, in the language of the account: the id is the last word. */
export const groupIdOf = (folder: string): string => folder.slice(folder.lastIndexOf(' ') + 1);

/** Google's name for a group of people without a name. */
const noName = 'Group Chat';

export function readGroup(
  group: Untrusted<ChatGroup>,
  id: string,
): { group: ConversationRecord; people: UserRecord[] } {
  const people = asArray(group.members).flatMap((member) => readUser(asObject<ChatPerson>(member) ?? {}) ?? []);
  const members = [...new Set(people.map((person) => person.id))];
  const said = asString(group.name);
  const name = said === noName ? '' : (said ?? '');
  const emoji = asString(group.emoji_id);
  const type =
    name !== ''
      ? 'private'
      : said === undefined && members.length <= 2 && members.length > 0
        ? 'direct'
        : 'group-direct';
  return {
    people,
    group: {
      kind: 'conversation',
      id,
      type,
      name,
      ...(emoji !== undefined && { metadata: { emoji } }),
      members,
    },
  };
}
