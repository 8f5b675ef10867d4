import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { invalidEntry, partialEntry, recordEntry, readEntry, locationInside } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow } from '../kit/rows/json-entries.ts';
import { addUnreadRow } from '../kit/rows/rows-inside.ts';
import { type HelpScoutConversation, type HelpScoutThread, msOf } from './format.ts';
import { kinds, type Layout, type RowKind } from './layout.ts';
import { readAuthor, readPerson } from './people.ts';
import { readThread } from './thread.ts';

/** Facts from the files of an export for others: about 60 bytes for each conversation. */
export class Directory {
  readonly people = new DeskPeople();
  /** Conversations of lists, which have no threads. */
  readonly listed = new Set<string>();
  /** All conversations of lists. */
  readonly known = new Set<string>();
  readonly deleted = new Set<string>();
  /** Conversations whose threads have a file of their own. */
  readonly answered: ReadonlySet<string>;

  constructor(answered: ReadonlySet<string>) {
    this.answered = answered;
  }

  /** Adds a conversation if it was deleted. */
  addDeleted(conversation: unknown): void {
    const row = asObject<HelpScoutConversation>(conversation);
    const id = asId(row?.id);
    if (id !== undefined && row?.state === 'deleted') this.deleted.add(id);
  }

  /** Whether a number in a path can be that of a conversation. */
  mayBeOne(number: string): boolean {
    return this.known.size === 0 || this.known.has(number);
  }
}

interface Place {
  readonly conversation: string;
  readonly isDeleted: boolean;
}

type Conversation = Untrusted<HelpScoutConversation>;

const isKind = (key = ''): boolean => kinds.includes(key as RowKind);

/** The rows of a file, whatever is in it. */
export class RowsFile extends ApiFile<Layout, Directory> {
  add(found: GoodRow, into: Entry[]): undefined {
    const { value, parentKey, location } = found;
    const kind = this.layout.bare ?? parentKey;
    if (kind === parentKey && !isKind(kind) && addUnreadRow(found, into)) return;
    if (kind === 'answers') this.#addAnswer(value, location, into);
    else this.#addRow(kind, value, location, into);
  }

  /** A whole answer as one row. */
  #addAnswer(value: unknown, location: Location, into: Entry[]): void {
    const lists = asObject<Record<RowKind, unknown>>(asObject<{ _embedded: unknown }>(value)?._embedded);
    if (lists === undefined) {
      const isEmpty = asObject<{ page: unknown }>(value)?.page !== undefined;
      if (!isEmpty) into.push(this.bad('not-an-object', `Expected an answer, found ${wordFor(value)}`, location));
      return;
    }
    const address = asObject<{ _links: unknown }>(value)?._links;
    const href = asObject<{ href: string }>(asObject<{ self: unknown }>(address)?.self)?.href;
    const conversation = /\/conversations\/(\d{1,20})\/threads/.exec(asString(href) ?? '')?.[1];
    const others = Object.entries(lists).filter(([key]) => !isKind(key));
    this.counts.add('helpscout-not-migrated', 'lists of other things', others.length);
    for (const [key, list] of others)
      for (const [at, row] of asArray(list).entries())
        addUnreadRow({ value: row, location: locationInside(location, `/_embedded/${key}/${at}`) }, into);
    for (const kind of kinds) {
      const under = `/_embedded/${kind}`;
      const list = lists[kind] ?? [];
      if (!Array.isArray(list)) {
        const reason = `Expected a list of ${kind}, found ${wordFor(list)}`;
        into.push(this.bad('not-an-object', reason, locationInside(location, under)));
      }
      this.each(asArray(list), { into, location, under, conversation }, (row, at) =>
        this.#addRow(kind, row, at, into, conversation),
      );
    }
  }

  #addRow(kind: string | undefined, value: unknown, location: Location, into: Entry[], conversation?: string): void {
    if (kind === 'threads') this.#addThread(value, location, into, conversation ?? this.#around());
    else if (kind === 'conversations') this.#addConversation(value, location, into);
    else if (kind === 'customers') this.#addPerson(value, 'customer', location, into);
    else if (kind === 'users') this.#addPerson(value, 'user', location, into);
    else this.counts.add('helpscout-not-migrated', 'rows of other lists');
  }

  /** The conversation of a thread whose answer does not name it. In a file of several answers the address is that of another one. */
  #around(): string | undefined {
    const { address, byPath, bare } = this.layout;
    if (address !== undefined && bare !== 'answers') return address;
    return byPath !== undefined && this.directory.mayBeOne(byPath) ? byPath : undefined;
  }

  #addPerson(value: unknown, type: 'customer' | 'user', location: Location, into: Entry[]): void {
    const person = readPerson(value, type);
    const reason = `Expected a person with an "id", found ${wordFor(value)}`;
    // Nothing but an id takes no name away that another file has.
    const isLeftOut = this.hasMessages && person !== undefined && !saysMore(person);
    if (!isLeftOut && !this.addPerson(person, reason, location, into)) return;
    const fields = asObject<Record<string, unknown>>(value) as Readonly<Record<string, unknown>>;
    const kept = ['jobTitle', 'background', 'organization', 'location', 'age', 'phone'].map((key) =>
      asString(fields[key]),
    );
    const count = kept.filter((text) => text !== undefined).length;
    this.counts.add('profile-detail-not-migrated', 'notes and details of people', count);
  }

  /** Nothing but an id takes no name away that another file has. */
  #see(person: UserRecord | undefined, location: Location, into: Entry[]): void {
    if (person && saysMore(person)) this.people.see(person, location, into);
  }

  #addConversation(value: unknown, location: Location, into: Entry[]): void {
    const row = asObject<HelpScoutConversation>(value);
    const id = asId(row?.id);
    if (row === undefined || id === undefined) {
      into.push(this.bad('missing-id', `Expected a conversation with an "id", found ${wordFor(value)}`, location));
      return;
    }
    const given = asObject<HelpScoutConversation['_embedded']>(row._embedded)?.threads;
    const threads = asArray(given);
    const authors = threads.map((thread) => readAuthor(asObject<HelpScoutThread>(thread) ?? {}));
    const around = [readPerson(row.primaryCustomer, 'customer'), readPerson(row.assignee, 'user')];
    for (const person of around) this.#see(person, location, into);
    into.push(recordEntry(readConversation(id, row, [...around, ...authors]), location));
    this.#countOthers(row);
    this.directory.addDeleted(row);
    if (!this.hasMessages) {
      this.directory.known.add(id);
      if (asCount(row.threads) !== 0) this.directory.listed.add(id);
      return;
    }
    const under = '/_embedded/threads';
    if (given !== undefined && given !== null && !Array.isArray(given)) {
      const reason = `Expected a list of threads, found ${wordFor(given)}`;
      into.push(this.bad('not-an-object', reason, locationInside(location, under), id));
    }
    const place = { conversation: id, isDeleted: this.directory.deleted.has(id) };
    this.each(threads, { into, location, under, conversation: id }, (thread, at) =>
      this.#addMessage(thread, at, into, place),
    );
    const missing = this.directory.answered.has(id) ? 0 : (asCount(row.threads) ?? 0) - countedIn(threads);
    if (missing > 0)
      into.push(
        partialEntry(`"threads" is ${String(row.threads)}, and ${countedIn(threads)} are given`, location, missing),
      );
  }

  /** Describes no conversation: its threads say nothing about it, and another file may. */
  #addThread(value: unknown, location: Location, into: Entry[], conversation: string | undefined): void {
    if (conversation === undefined) {
      const reason = 'Expected the id of the conversation in the address of the answer or in the path of the file';
      into.push(invalidEntry('helpscout-no-conversation', reason, location));
      return;
    }
    this.#addMessage(value, location, into, { conversation, isDeleted: this.directory.deleted.has(conversation) });
  }

  #addMessage(value: unknown, location: Location, into: Entry[], { conversation, isDeleted }: Place): void {
    const row = asObject<HelpScoutThread>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a thread, found ${wordFor(value)}`, location, conversation));
      return;
    }
    const author = readAuthor(row);
    this.#see(author, location, into);
    const read = readThread(row, {
      workspace: this.workspace,
      conversation,
      author: author?.id,
      isDeleted,
      counts: this.counts,
    });
    into.push(readEntry(read, location, conversation));
  }

  #countOthers(row: Conversation): void {
    const set = asArray(row.customFields).filter((field) => {
      const { value } = asObject<{ value: unknown }>(field) ?? {};
      return value !== null && value !== undefined && value !== '';
    });
    this.counts.add('helpscout-not-migrated', 'tags', asArray(row.tags).length);
    this.counts.add('helpscout-not-migrated', 'fields of conversations', set.length);
  }
}

/** Whether it has more than an id. */
const saysMore = ({ id, name, avatarUrl, isBot }: UserRecord): boolean =>
  name !== id || avatarUrl !== undefined || isBot === true;

/** How many threads the field "threads" of their conversation counts. */
const countedIn = (threads: readonly unknown[]): number =>
  threads.filter((thread) => {
    const { type, state } = asObject<HelpScoutThread>(thread) ?? {};
    return type !== 'lineitem' && state !== 'draft' && state !== 'underreview';
  }).length;

function readConversation(
  id: string,
  row: Conversation,
  people: readonly (UserRecord | undefined)[],
): ConversationRecord {
  const ids = people.flatMap((person) => (person && !person.id.startsWith('team:') ? [person.id] : []));
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: asString(row.subject) ?? `Conversation ${id}`,
    metadata: facts({ status: asString(row.status), number: asCount(row.number) }),
    creator: readPerson(row.createdBy)?.id,
    createdAtMs: msOf(row.createdAt),
    members: [...new Set(ids)],
  });
}
