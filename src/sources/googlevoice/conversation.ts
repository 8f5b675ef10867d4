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
 * The conversation of a page: the set of the others' numbers, or of their names where these are missing. A page in which only oneself wrote has its file's name alone.
 *
 * @param namesOf Called if a name has to be looked up.
 */
export async function readConversation(
  path: string,
  page: Page,
  owner: Owner,
  namesOf: () => Promise<Names>,
): Promise<Conversation | undefined> {
  const members = othersOn(page, owner);
  if (members.length > 0) return { id: members.map(escaped).join('~'), members };
  const name = page.isGroup ? '' : nameInPath(path);
  if (isNumber(name)) return { id: name, members: [name] };
  const found = name === '' ? new Set<string>() : ((await namesOf()).get(name) ?? new Set());
  if (found.size === 1) return { id: [...found][0]!, members: [...found], name };
  return name === '' ? undefined : { id: name, members: [name], name };
}

/** Ids of the others. On a page that is no group, one name and one number at most are of one person. */
function othersOn({ people, isGroup }: Page, owner: Owner): readonly string[] {
  const others = people.filter((one) => !isOwn(one, owner));
  const numbers = new Set(others.map(({ number }) => number).filter((number) => number !== ''));
  if (isGroup) return [...new Set(others.map((one) => idOf(one)))].sort();
  const names = new Set(others.map(({ name }) => name).filter((name) => name !== ''));
  if (numbers.size <= 1 && names.size <= 1) return [...numbers];
  return [...new Set(others.filter(({ number, name }) => number !== '' || name !== '').map((one) => idOf(one)))].sort();
}

const namePrefix = 'name:';

/** A number; without one the name stands for it, which is empty if the page says nothing of a person. */
export const idOf = ({ number, name }: Shown): string => number || namePrefix + name;

const escaped = (id: string): string =>
  id.startsWith(namePrefix) ? id.replaceAll('%', '%25').replaceAll('~', '%7E') : id;

/** Names that stand for a number. */
export const nameOfId = (id: string): string | undefined =>
  id.startsWith(namePrefix) ? id.slice(namePrefix.length) : undefined;

export const isOwn = ({ isOwner, number }: Shown, { numbers }: Owner): boolean =>
  isOwner || (number !== '' && numbers.has(number));

/** Whom a page shows, and the conversation that it is of. */
export function* readRecords(
  conversation: Conversation,
  page: Page,
  owner: Owner,
): Generator<UserRecord | ConversationRecord> {
  yield { kind: 'user', id: self, name: owner.name };
  for (const id of conversation.members) {
    const name = page.people.find((one) => idOf(one) === id)?.name || (conversation.name ?? '');
    const isNamed = name !== '' && !isNumber(name.replace(/[\s()-]/g, ''));
    yield {
      kind: 'user',
      id,
      name: isNamed ? name : id === namePrefix ? 'Unknown' : id,
      ...(!isNamed && { isPlaceholder: true }),
    };
  }
  const type = conversation.members.length > 1 ? 'group-direct' : 'direct';
  yield { kind: 'conversation', id: conversation.id, type, name: '', members: [self, ...conversation.members] };
}
