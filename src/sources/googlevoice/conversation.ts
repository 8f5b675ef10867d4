import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { isNumber, nameInPath, self } from './format.ts';
import type { Names } from './names.ts';
import type { Owner } from './owner.ts';
import type { Page, Shown } from './page.ts';

export interface Conversation {
  readonly id: string;
  /** The others. */
  readonly members: readonly string[];
  /** Name of the other, if only the name of the file has it. */
  readonly name?: string;
}

/**
 * The conversation of a page: the set of the others' numbers. A page in which only oneself wrote has its file's name alone.
 *
 * @param namesOf Called if a name has to be looked up.
 */
export async function conversationOf(
  path: string,
  page: Page,
  owner: Owner,
  namesOf: () => Promise<Names>,
): Promise<Conversation | undefined> {
  const numbers = page.people.filter((one) => !isOwn(one, owner)).map(({ number }) => number);
  const members = [...new Set(numbers)].filter((number) => number !== '').sort();
  if (members.length > 0) return { id: members.join('~'), members };
  const name = page.isGroup ? '' : nameInPath(path);
  if (isNumber(name)) return { id: name, members: [name] };
  const found = name === '' ? new Set<string>() : ((await namesOf()).get(name) ?? new Set());
  if (found.size === 1) return { id: [...found][0]!, members: [...found], name };
  return name === '' ? undefined : { id: name, members: [name], name };
}

export const isOwn = ({ isOwner, number }: Shown, { numbers }: Owner): boolean =>
  isOwner || (number !== '' && numbers.has(number));

/** Whom a page shows, and the conversation that it is of. */
export function* recordsOf(
  conversation: Conversation,
  page: Page,
  owner: Owner,
): Generator<UserRecord | ConversationRecord> {
  yield { kind: 'user', id: self, name: owner.name };
  for (const id of conversation.members) {
    const name = page.people.find(({ number }) => number === id)?.name || (conversation.name ?? '');
    const isNamed = name !== '' && !isNumber(name.replace(/[\s()-]/g, ''));
    yield { kind: 'user', id, name: isNamed ? name : id, ...(!isNamed && { isPlaceholder: true }) };
  }
  const type = conversation.members.length > 1 ? 'group-direct' : 'direct';
  yield { kind: 'conversation', id: conversation.id, type, name: '', members: [self, ...conversation.members] };
}
