import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { invalidEntry, problemEntry, recordEntry, readEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow } from '../kit/rows/json-entries.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { type FrontComment, type FrontConversation, type FrontMessage, idInAddress, msOf } from './format.ts';
import type { Layout } from './layout.ts';
import { readComment, readMessage } from './message.ts';
import { readAuthor, readContact, listKeys, readRecipient, readTeammate, tellSide } from './people.ts';

/** Facts from lists, for files of messages: about 200 bytes for each conversation. */
export class Directory {
  readonly people = new DeskPeople();
  readonly lastMessages = new LastMessages();
  readonly deleted = new Set<string>();
  /** Keys of the person whom a conversation is with. */
  readonly recipients = new Map<string, readonly string[]>();
  /** A message to others than that person is shown all the same. */
  readonly showsOthers: boolean;

  constructor(showsOthers: boolean) {
    this.showsOthers = showsOthers;
  }

  /** Adds the facts of a conversation that its messages need, whatever order the files have. */
  add(row: Untrusted<FrontConversation>, location: Location): void {
    const id = asId(row.id);
    if (id === undefined) return;
    if (row.status === 'deleted') this.deleted.add(id);
    const keys = listKeys(row.recipient);
    // A copy of the conversation that is not whole takes nothing away.
    if (keys.length > 0 || !this.recipients.has(id)) this.recipients.set(id, keys);
    const last = asObject<FrontMessage>(row.last_message);
    const isDraft = last?.is_draft === true || asString(last?.draft_mode) !== undefined;
    if (!isDraft) this.lastMessages.expect(asId(last?.id), id, location);
  }
}

/** A row of any kind. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a file, whatever is in it. */
export class RowsFile extends ApiFile<Layout, Directory> {
  #row = 0;

  add({ value, location }: GoodRow, into: Entry[]): undefined {
    if (this.layout.hasAnswers) this.#addAnswer(value, location, into);
    else this.#addRow(value, location, into, this.layout.conversation);
  }

  #addAnswer(value: unknown, location: Location, into: Entry[]): void {
    const answer = asObject<{ _results: unknown; _links: unknown }>(value);
    if (!Array.isArray(answer?._results)) {
      into.push(this.bad('not-an-object', `Expected an answer with "_results", found ${wordFor(value)}`, location));
      return;
    }
    const self = asString(asObject<{ self: string }>(answer._links)?.self)?.replace(/\/\w+(?:\?.*)?$/s, '');
    const conversation = idInAddress(self, 'conversation');
    this.each(answer._results, { into, location, under: '/_results', conversation }, (row, at) =>
      this.#addRow(row, at, into, conversation),
    );
  }

  #addRow(value: unknown, location: Location, into: Entry[], conversation: string | undefined): void {
    const row = asObject<Row>(value) as Row | undefined;
    if (row === undefined) {
      into.push(this.bad('not-an-object', `Expected a row, found ${wordFor(value)}`, location));
      return;
    }
    const kind = kindOfRow(row);
    if (kind === 'contact') this.#addPerson(readContact(row), row, location, into);
    else if (kind === 'teammate') this.#addPerson(readTeammate(row), row, location, into);
    else if (kind === 'conversation') this.#addConversation(row, location, into);
    else if (this.hasMessages) this.#addMessage(row, location, into, conversation);
    else into.push(problemEntry('not-an-object', 'Expected a row of a kind that is known, found another', location));
  }

  #addPerson(person: UserRecord | undefined, row: Row, location: Location, into: Entry[]): void {
    if (!this.addPerson(person, 'Expected a person with an "id", found none', location, into)) return;
    const lists = ['links', 'groups', 'lists'].reduce((sum, key) => sum + asArray(row[key]).length, 0);
    const fields = Object.keys(asObject(row.custom_fields) ?? {}).length;
    const text = asString(row.description) === undefined ? 0 : 1;
    this.counts.add('profile-detail-not-migrated', 'notes and details of people', lists + fields + text);
  }

  #addConversation(row: Untrusted<FrontConversation>, location: Location, into: Entry[]): void {
    const id = asId(row.id);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'Expected a conversation with an "id", found none', location));
      return;
    }
    const people = [readRecipient(row.recipient), readTeammate(row.assignee)].filter((one) => one !== undefined);
    for (const person of people) this.#see(person, location, into);
    into.push(recordEntry(readConversation(id, row, people), location));
    // Those in a file of messages were added before any message was read.
    if (!this.hasMessages) this.directory.add(row, location);
    const fields = row as Row;
    this.counts.add('front-not-migrated', 'tags', asArray(row.tags).length);
    this.counts.add('front-not-migrated', 'links to other systems', asArray(fields.links).length);
    const custom = Object.keys(asObject(fields.custom_fields) ?? {}).length;
    this.counts.add('front-not-migrated', 'fields of conversations', custom);
  }

  #addMessage(row: Row, location: Location, into: Entry[], around: string | undefined): void {
    this.#row += 1;
    const id = asId(row.id);
    this.directory.lastMessages.see(id);
    const conversation = conversationOfRow(row) ?? (namesConversation(row) ? undefined : around);
    if (conversation === undefined) {
      const reason =
        'Expected a conversation in "_links", in the address of the answer or in the path of the file, found none';
      into.push(invalidEntry('front-no-conversation', reason, location));
      return;
    }
    const isComment = 'posted_at' in row || /^(?:cmt|com)_/.test(id ?? '');
    const author = isComment ? readTeammate(row.author, true) : readAuthor(row);
    this.#see(author, location, into);
    const place = {
      workspace: this.workspace,
      conversation,
      author: author?.id,
      position: rowSortKey(0, this.#row, this.layout.isNewestFirst),
      isDeleted: this.directory.deleted.has(conversation),
      side: this.#sideOf(row, conversation),
      counts: this.counts,
    };
    const read = isComment ? readComment(row as Untrusted<FrontComment>, place) : readMessage(row, place);
    into.push(readEntry(read, location, conversation));
  }

  #sideOf(row: Row, conversation: string): ReturnType<typeof tellSide> {
    const { showsOthers, recipients } = this.directory;
    return showsOthers ? 'person' : tellSide(row, recipients.get(conversation) ?? []);
  }

  /** Nothing but an id takes no name away that another file has. */
  #see(person: UserRecord | undefined, location: Location, into: Entry[]): void {
    if (person && person.name !== person.id) this.people.see(person, location, into);
  }
}

type KindOfRow = 'message' | 'conversation' | 'contact' | 'teammate';
type KindsByPrefix = Readonly<Record<string, KindOfRow>>;
const ofMessages: KindsByPrefix = { msg: 'message', cmt: 'message', com: 'message', cnv: 'conversation' };
const ofPeople: KindsByPrefix = { crd: 'contact', ctc: 'contact', tea: 'teammate' };
/** The prefix of an id says more than keys, some of which may be of another program. */
const kindsByPrefix: KindsByPrefix = { ...ofMessages, ...ofPeople };

export function kindOfRow(row: Row): KindOfRow {
  const prefix = /^([a-z]{3})_/.exec(asId(row.id) ?? '')?.[1];
  if (prefix !== undefined && Object.hasOwn(kindsByPrefix, prefix)) return kindsByPrefix[prefix]!;
  if ('is_inbound' in row || 'posted_at' in row) return 'message';
  if ('handles' in row) return 'contact';
  if ('username' in row) return 'teammate';
  return 'status' in row ? 'conversation' : 'message';
}

const relatedConversation = (row: Row): unknown =>
  asObject<{ conversation: unknown }>(asObject<{ related: unknown }>(row._links)?.related)?.conversation;

const conversationOfRow = (row: Row): string | undefined => idInAddress(relatedConversation(row), 'conversation');

/** It names one that cannot be read: it is not of the conversation around it. */
function namesConversation(row: Row): boolean {
  const named = relatedConversation(row);
  return named !== undefined && named !== null;
}

function readConversation(
  id: string,
  row: Untrusted<FrontConversation>,
  people: readonly UserRecord[],
): ConversationRecord {
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: asString(row.subject) ?? people[0]?.name ?? id,
    metadata: facts({ status: asString(row.status) }),
    createdAtMs: msOf(row.created_at),
    members: people.map((person) => person.id),
  });
}
