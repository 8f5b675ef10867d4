import { splitAddresses } from '../../lib/text/addresses.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { alikeNumbers } from '../kit/alike-numbers.ts';
import { Described } from '../kit/described.ts';
import { normaliseAddress, addressType, box, nameOf, ownToken, self, asWord } from './format.ts';
import type { BackupRow } from './rows.ts';

export interface Conversation {
  /** The other's address, or those of all others in their order. */
  readonly id: string;
  readonly isGroup: boolean;
  readonly members: readonly string[];
  /** Recipients of blind copies, who are none. */
  readonly hiddenCount: number;
}

/** Numbers that are compared with each other: 100 bytes each. */
const rememberedMax = 50_000;

/** People of a backup, who are known by their addresses. */
export class People {
  readonly #own: ReadonlySet<string>;
  readonly #ownName: string;
  readonly #described = new Described();
  readonly #numbers = new Set<string>();

  constructor(own: Iterable<string>, ownName: string) {
    this.#own = new Set(own);
    this.#ownName = ownName;
  }

  /** A conversation is the set of the others in it. */
  readConversation(row: BackupRow): Conversation | undefined {
    const all = listAddresses(row);
    const others = [...new Set(all)].filter((address) => !this.#own.has(address)).sort();
    const blind = listBlindCopies(row);
    const seen = others.filter((address) => !blind.has(address));
    if (seen.length > 0 || others.length > 1) return conversationWith(seen, others.length - seen.length);
    // A message to oneself.
    return conversationWith(others.length > 0 ? others : all.slice(0, 1));
  }

  /** Describes who is in a row, as far as that is new. */
  describe(
    { row, conversation, author }: { row: BackupRow; conversation: Conversation; author: string | undefined },
    at: Location,
    into: Entry[],
  ): void {
    this.#person(self, this.#ownName, at, into);
    const { id, isGroup, members, hiddenCount } = conversation;
    // The names of all, also of those whom the others did not see.
    const name = hiddenCount > 0 ? undefined : nameOf(row.attributes.get('contact_name'));
    for (const member of members) this.#person(member, isGroup ? undefined : name, at, into);
    if (author !== undefined) this.#person(author, undefined, at, into);
    const groupName = isGroup ? (name ?? '') : '';
    const type = !isGroup ? 'direct' : 'group-direct';
    const record: ConversationRecord = { kind: 'conversation', id, type, name: groupName, members: [self, ...members] };
    if (this.#described.nameOf('conversation', id) && groupName === '') return;
    this.#described.describe(record, at, into);
  }

  alike(): readonly (readonly string[])[] {
    return alikeNumbers([...this.#numbers].map((address) => [address, address]));
  }

  /** A name that is known is not taken away by a row without one. */
  #person(id: string, name: string | undefined, at: Location, into: Entry[]): void {
    if (name === undefined && this.#described.nameOf('user', id) !== undefined) return;
    if (id !== self && this.#numbers.size < rememberedMax) this.#numbers.add(id);
    // A name from another backup counts more than none.
    const record = { kind: 'user', id, name: name ?? id, ...(name === undefined && { isPlaceholder: true }) } as const;
    this.#described.describe(record, at, into);
  }
}

/**
 * Recipients of a blind copy, whom the others did not see: the app lists them with all others in the `address` of the MMS.
 *
 * @returns none of those who are named in another way too.
 */
function listBlindCopies({ addresses }: BackupRow): ReadonlySet<string> {
  const isBlind = (about: ReadonlyMap<string, string>) => about.get('type') === addressType.blindCopy;
  const named = (list: typeof addresses) =>
    new Set(list.flatMap((about) => asWord(about.get('address')) ?? []).map(normaliseAddress));
  return named(addresses.filter(isBlind)).difference(named(addresses.filter((about) => !isBlind(about))));
}

/** The addresses of a row; an MMS of a group, or a text to several, has them in one value. */
function listAddresses({ attributes, addresses }: BackupRow): string[] {
  const listed = (asWord(attributes.get('address')) ?? '').split('~').flatMap(splitAddresses);
  const all = listed.map((address) => asWord(address.trim())).filter((address) => address !== undefined);
  const others = addresses.map((about) => asWord(about.get('address'))).filter((address) => address !== undefined);
  const found = all.length > 0 ? all : others;
  return found.filter((address) => address !== ownToken).map(normaliseAddress);
}

const conversationWith = (members: readonly string[], hiddenCount = 0): Conversation | undefined =>
  members.length === 0 ? undefined : { id: members.join('~'), isGroup: members.length > 1, members, hiddenCount };

/** The phone's own number, if the row says it: from whom an MMS came that it sent. */
export function findOwnAddress({ kind, attributes, addresses }: BackupRow): string | undefined {
  if (kind !== 'mms' || attributes.get('msg_box') !== box.sent) return undefined;
  const from = addresses.find((about) => about.get('type') === addressType.from)?.get('address');
  const address = asWord(from);
  return address === undefined || address === ownToken ? undefined : normaliseAddress(address);
}
