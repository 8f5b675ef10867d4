import { Members } from '../../model/members.ts';
import { sha256Base32 } from '../../lib/hash.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { Seen } from '../kit/described.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, asWord } from '../kit/narrow.ts';
import { type Fields, asFields, self, uuidOf } from './format.ts';

/** Whom or what a recipient of the file is, for the chats that name it. */
type Known =
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string; readonly group: Fields };

const releaseNotes = 'signal-release-notes';

/**
 * People, groups and chats of a file. Lines come before those that refer to them. In memory: a name for each person,
 * and the data of each group.
 */
export class Recipients {
  readonly #known = new Map<string, Known>();
  readonly #names = new Map<string, string>();
  readonly #people = new Seen();
  /** By the id that the file gives them: the id of the conversation. */
  readonly #chats = new Map<string, string>();
  /** Members of groups whom no contact describes, with how many groups they are in: most are oneself. */
  readonly #strangers = new Map<string, number>();
  /** Null: cannot be determined. */
  #ownAccount: string | null | undefined;
  readonly #counts: CountedProblems;
  readonly #me: string;
  #ownName: string;

  /**
   * @param me The user's own name, if given.
   */
  constructor(counts: CountedProblems, me: string) {
    this.#counts = counts;
    this.#me = me;
    this.#ownName = me || 'Me';
  }

  addAccount(account: Fields, at: Location, into: Entry[]): void {
    const name = fullName(account.givenName, account.familyName) ?? asString(account.username);
    if (this.#me === '' && name !== undefined) this.#ownName = name;
    const handle = asString(account.username);
    this.#describe({ kind: 'user', id: self, name: this.#ownName, ...(handle !== undefined && { handle }) }, at, into);
  }

  add(recipient: Fields, at: Location, into: Entry[]): void {
    const id = asId(recipient.id);
    const contact = asObject<Fields>(recipient.contact);
    const group = asObject<Fields>(recipient.group);
    if (id === undefined) {
      into.push(problemEntry('user-without-id', 'A recipient without "id"', at));
    } else if (contact) this.#addContact(id, contact, at, into);
    else if (group) this.#addGroup(id, group);
    else if (recipient.self !== undefined) {
      this.#known.set(id, { kind: 'person', id: self });
      this.#describe({ kind: 'user', id: self, name: this.#ownName }, at, into);
    } else if (recipient.releaseNotes !== undefined) {
      this.#known.set(id, { kind: 'person', id: releaseNotes });
      // Usually no message is by this recipient, so it is described with its chat.
      this.#names.set(releaseNotes, 'Signal');
    } else if (recipient.distributionList !== undefined) this.#lose('lists of stories');
    else if (recipient.callLink !== undefined) this.#lose('calls by link');
    else into.push(problemEntry('signal-unknown-line', 'A recipient of a kind that is not known', at));
  }

  /**
   * @returns the conversation, or undefined if the line does not name it.
   */
  addChat(chat: Fields, at: Location, into: Entry[]): string | undefined {
    const id = asId(chat.id);
    const known = this.#known.get(asId(chat.recipientId) ?? '');
    if (id === undefined || known === undefined) {
      into.push(
        problemEntry(
          'conversation-without-id',
          'A chat without "id", or with a recipient that no line before describes',
          at,
        ),
      );
      return undefined;
    }
    if (known.id === releaseNotes)
      this.#describe({ kind: 'user', id: releaseNotes, name: 'Signal', isBot: true }, at, into);
    this.#chats.set(id, known.id);
    this.#losePlaces(chat);
    const timer = asString(chat.expirationTimerMs);
    into.push(
      recordEntry(
        {
          ...(known.kind === 'group' ? this.#groupOf(known.id, known.group) : makeDirect(known.id)),
          ...(chat.archived === true && { isArchived: true }),
          ...(timer !== undefined && { metadata: { expirationTimerMs: timer } }),
        },
        at,
      ),
    );
    return known.id;
  }

  /** Returns the conversation for a chat's id in the file. */
  conversationOf(id: unknown): string | undefined {
    return this.#chats.get(asId(id) ?? '');
  }

  /** Returns the person for a recipient's id in the file. */
  personOf = (id: unknown): string | undefined => {
    const known = this.#known.get(asId(id) ?? '');
    return known?.kind === 'person' ? known.id : undefined;
  };

  nameOf(person: string | undefined): string | undefined {
    return person === undefined ? undefined : this.#names.get(person);
  }

  /** Returns the person for an account id. */
  byAccount = (aci: string): { readonly id: string; readonly name: string | undefined } => {
    const name = this.#names.get(aci);
    if (name !== undefined) return { id: aci, name };
    if (this.#ownAccount === undefined) this.#ownAccount = this.#mostSeenStranger();
    return aci === this.#ownAccount ? { id: self, name: this.#ownName } : { id: aci, name: undefined };
  };

  /** Returns null if two are in the same number of groups. */
  #mostSeenStranger(): string | null {
    const [first, second] = [...this.#strangers].sort(([, a], [, b]) => b - a);
    return first === undefined || first[1] === second?.[1] ? null : first[0];
  }

  #addGroup(id: string, group: Fields): void {
    this.#known.set(id, { kind: 'group', id: groupId(group), group });
    this.#ownAccount = undefined;
    for (const { aci } of readMembers(group))
      if (!this.#names.has(aci)) this.#strangers.set(aci, (this.#strangers.get(aci) ?? 0) + 1);
  }

  #addContact(id: string, contact: Fields, at: Location, into: Entry[]): void {
    const { user, lost } = readContact(id, contact);
    this.#known.set(id, { kind: 'person', id: user.id });
    if (this.#strangers.delete(user.id)) this.#ownAccount = undefined;
    this.#describe(user, at, into);
    if (contact.blocked === true)
      into.push(recordEntry({ kind: 'relation', type: 'block', from: self, to: user.id }, at));
    for (const what of lost) this.#counts.add('profile-detail-not-migrated', what);
  }

  #describe(user: UserRecord, at: Location, into: Entry[]): void {
    this.#names.set(user.id, user.name);
    if (this.#people.add(user.id)) into.push(recordEntry(user, at));
  }

  #groupOf(id: string, group: Fields): ConversationRecord {
    const { title, description } = asFields(group.snapshot);
    const words = asString(asFields(description).descriptionText);
    const members = readMembers(group);
    const people = new Members();
    for (const { aci, role } of members)
      people.add(id, this.byAccount(aci).id, role === 'ADMINISTRATOR' ? { scope: 'admin' } : undefined);
    return {
      kind: 'conversation',
      id,
      type: 'private',
      name: asString(asFields(title).title) ?? 'Group without a name',
      ...(words !== undefined && { description: words }),
      ...people.of(id),
    };
  }

  #losePlaces(chat: Fields): void {
    if (chat.pinnedOrder !== undefined) this.#lose('pinned chats');
    if (chat.muteUntilMs !== undefined) this.#lose('muted chats');
    if (chat.markedUnread === true) this.#lose('chats marked as unread');
  }

  #lose(what: string): void {
    this.#counts.add('signal-not-migrated', what);
  }
}

const fullName = (given: unknown, family: unknown): string | undefined =>
  [given, family].map(asString).filter(Boolean).join(' ') || undefined;

/**
 * Returns a person of the address book, and the details that no field of a person can hold. People without an account
 * are identified by telephone number.
 */
function readContact(id: string, contact: Fields): { readonly user: UserRecord; readonly lost: readonly string[] } {
  const number = asId(contact.e164);
  const phone = number === undefined ? undefined : `+${number.replace(/^\+/, '')}`;
  const handle = asString(contact.username);
  const person = uuidOf(contact.aci) ?? phone ?? uuidOf(contact.pni) ?? `recipient-${id}`;
  const name = nameOf(contact) ?? handle ?? phone ?? 'Unknown contact';
  const isApart = phone !== undefined && person !== phone && name !== phone;
  const isNoteLost = asString(contact.note) !== undefined;
  return {
    user: {
      kind: 'user',
      id: person,
      name,
      ...(handle !== undefined && { handle }),
      ...(isApart && { phone }),
      ...(contact.notRegistered !== undefined && { isDeleted: true }),
    },
    lost: isNoteLost ? ['notes on people'] : [],
  };
}

/** The user's own name for a person takes precedence over the person's own profile name. */
function nameOf(contact: Fields): string | undefined {
  const nickname = asFields(contact.nickname);
  return (
    fullName(nickname.given, nickname.family) ??
    asString(contact.systemNickname) ??
    fullName(contact.systemGivenName, contact.systemFamilyName) ??
    fullName(contact.profileGivenName, contact.profileFamilyName)
  );
}

const makeDirect = (id: string): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'direct',
  name: '',
  members: id === self ? [self] : [self, id],
});

/** The master key gives access to the group. The id derived from it here does not. */
const groupId = ({ masterKey }: Fields): string => `group-${sha256Base32(asWord(masterKey), 26)}`;

/** Its members, as far as they have an account. */
function readMembers({ snapshot }: Fields): { readonly aci: string; readonly role: unknown }[] {
  return asArray(asFields(snapshot).members).flatMap((value) => {
    const { userId, role } = asFields(value);
    const aci = uuidOf(userId);
    return aci === undefined ? [] : [{ aci, role }];
  });
}
