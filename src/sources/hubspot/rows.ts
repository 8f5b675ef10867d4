import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { ListDirectory } from '../kit/directory.ts';
import { invalidEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { type AnswerWords, AnswersInRows } from '../kit/rows/answers-in-rows.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow } from '../kit/rows/json-entries.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import {
  type HubSpotThread,
  isTruncated,
  msOf,
  type HubSpotActor,
  type HubSpotMessage,
  type HubSpotParty,
} from './format.ts';
import type { Layout } from './layout.ts';
import { isEvent, readMessage, type Row } from './message.ts';
import type { Originals } from './originals.ts';

export class Directory extends ListDirectory {
  readonly originals: Originals;

  constructor(originals: Originals) {
    // Any message of each listed thread.
    super(new LastMessages('Lists have threads of which no file has messages'));
    this.originals = originals;
  }
}

const answers = {
  lists: ['results'],
  ofRows: ['id', 'conversationsThreadId'],
  more: 'paging',
  saysMore: ({ paging }) => Boolean(asObject<{ next: unknown }>(paging)?.next),
} as const satisfies AnswerWords;

/** A list of threads or actors, or the original content of a message. */
export class ListFile extends ApiFile<Layout, Directory> {
  readonly #answers = new AnswersInRows(answers);

  add(found: GoodRow, into: Entry[]): undefined {
    // Read once more, with its message.
    if (this.layout.kind === 'originals') return;
    for (const [value, location] of this.#answers.listRows(found)) {
      if (this.layout.kind === 'threads') this.#addThread(value, location, into);
      else this.#addActor(value, location, into);
    }
  }

  override end(): readonly Entry[] {
    return this.#answers.missing(this.path);
  }

  #addThread(value: unknown, location: Location, into: Entry[]): void {
    const thread = asObject<HubSpotThread>(value);
    const id = asId(thread?.id);
    const record = thread && id !== undefined ? readConversation(id, thread) : undefined;
    const expected = `a thread with an "id", found ${wordFor(value)}`;
    if (this.directory.addConversation(record, expected, location, into))
      this.directory.lastMessages.expect(id, id!, location);
  }

  #addActor(value: unknown, location: Location, into: Entry[]): void {
    const reason = `Expected an actor with an "id", found ${wordFor(value)}`;
    this.addPerson(readActor(value), reason, location, into);
  }
}

/** Messages of one thread or of several. */
export class MessagesFile extends ApiFile<Layout, Directory> {
  readonly #describe = this.directory.describer();
  readonly #answers = new AnswersInRows(answers);
  #row = 0;

  add(found: GoodRow, into: Entry[]): Promise<void> | undefined {
    const rows = this.#answers.listRows(found);
    for (const [at, [value, location]] of rows.entries()) {
      const waiting = this.#add(value, location, into);
      if (waiting) return this.#addRest(waiting, rows.slice(at + 1), into);
    }
    return undefined;
  }

  override end(): readonly Entry[] {
    return [...this.#answers.missing(this.path), ...super.end()];
  }

  async #addRest(waiting: Promise<void>, rows: ReturnType<AnswersInRows['listRows']>, into: Entry[]): Promise<void> {
    await waiting;
    for (const [value, location] of rows) await this.#add(value, location, into);
  }

  #add(value: unknown, location: Location, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const sortKey = rowSortKey(0, this.#row, this.layout.isNewestFirst);
    const row: Row | undefined = asObject(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return undefined;
    }
    const id = asId(row.id);
    if (!isTruncated(row.truncationStatus) || id === undefined || !this.directory.originals.has(id)) {
      this.#addMessage(row, sortKey, location, into);
      return undefined;
    }
    return this.directory.originals.of(id).then((original) => {
      const whole = original && { ...row, ...original, truncationStatus: 'NOT_TRUNCATED' };
      this.#addMessage(whole ?? row, sortKey, location, into);
    });
  }

  #addMessage(row: Row, sortKey: string, location: Location, into: Entry[]): void {
    const thread = asId(row.conversationsThreadId);
    if (thread === undefined) {
      const reason = `Expected "conversationsThreadId", found ${describe(row.conversationsThreadId)}`;
      into.push(invalidEntry('hubspot-no-thread', reason, location));
      return;
    }
    this.directory.lastMessages.see(thread);
    this.#describe(thread, () => readConversation(thread, {}), location, into);
    const author = readAuthor(row, isEvent(row));
    // Many rows name an actor by the id alone: that describes no one, and takes no name away that another file has.
    if (author && author.name !== author.id) this.people.see(author, location, into);
    const read = readMessage(row, { workspace: this.workspace, thread, sortKey, author });
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, thread));
      return;
    }
    into.push(recordEntry(read, location));
    if (isTruncated(row.truncationStatus)) {
      const reason = `Expected the whole text, found "truncationStatus" ${describe(row.truncationStatus)}`;
      into.push(problemEntry('hubspot-truncated', reason, location));
    }
    this.counts.add('hubspot-not-migrated', 'recipients of mails', asArray(row.recipients).length);
  }
}

function readConversation(id: string, thread: Untrusted<HubSpotThread>): ConversationRecord {
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: id,
    metadata: facts({ status: asString(thread.status) }),
    createdAtMs: msOf(thread.createdAt),
    ...(thread.archived === true && { isArchived: true }),
    members: [],
  });
}

/** Kinds of actors that are no people. */
const machines = /^[BLIS]-/;

function readPerson(id: string, { name, email, avatar }: Untrusted<HubSpotActor>): UserRecord {
  const address = asString(email);
  return compact<UserRecord>({
    kind: 'user',
    id,
    name: asString(name)?.trim() || (address ?? id),
    email: address,
    avatarUrl: asString(avatar),
    ...(machines.test(id) && { role: 'bot', isBot: true }),
  });
}

function readActor(value: unknown): UserRecord | undefined {
  const actor = asObject<HubSpotActor>(value);
  const id = asId(actor?.id);
  return actor && id !== undefined ? readPerson(id, actor) : undefined;
}

/**
 * The author of a message: its sender, by the actor, else by the address that it came from; else the one who made the row. Events are by the one who
 * caused them: their sender is the system.
 */
function readAuthor(row: Untrusted<HubSpotMessage>, isEvent: boolean): UserRecord | undefined {
  const senders = asArray(row.senders).flatMap((value) => asObject<HubSpotParty>(value) ?? []);
  const sender = senders.find(({ senderField }) => senderField === 'FROM') ?? senders[0] ?? {};
  const creator = asId(row.createdBy);
  if (isEvent && creator !== undefined) return readPerson(creator, {});
  const { type, value } = asObject<HubSpotParty['deliveryIdentifier']>(sender.deliveryIdentifier) ?? {};
  const address = asString(value);
  const sent = asId(sender.actorId) ?? (address === undefined ? undefined : `E-${address}`);
  const actor = sent ?? creator ?? idByName('name', asString(sender.name));
  if (actor === undefined) return undefined;
  // Agents write from the address of their inbox.
  const email = type === 'HS_EMAIL_ADDRESS' && /^[VE]-/.test(actor) ? address : undefined;
  return readPerson(actor, { name: sender.name, email });
}
