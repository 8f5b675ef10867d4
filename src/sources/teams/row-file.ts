import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, MessageRecord } from '../../model/records.ts';
import type { Location } from '../../lib/text/location.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { asArray, asId, asString, wordFor } from '../kit/narrow.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { type Directory, messageKey, parsePair } from './directory.ts';
import { Fields, type TeamsMessage } from './format.ts';
import { type MessageContext, type Parent, readMessage } from './message.ts';
import { addHolder, moreRows } from './nested.ts';
import { unfinishedEntry } from './pages.ts';

/** Maximum number of writers that are recorded for a chat that no file lists. */
const writersMax = 1000;

/** The entries of a file with messages. Chats that no other file describes are described behind them, by who writes there. */
export function readRowFile(
  input: ExportInput,
  path: string,
  context: { at: JsonRowsAt; directory: Directory; workspace: string; isNested?: boolean },
): AsyncGenerator<readonly Entry[]> {
  return readJsonEntries(input, path, context.at, new RowFile(path, context));
}

type RowFileContext = Parameters<typeof readRowFile>[2];

class RowFile implements JsonFile {
  readonly #path: string;
  readonly #directory: Directory;
  /** Whether rows are in the chats that they belong to. */
  readonly #isNested: boolean;
  /** Whether the file is a list of pages. */
  readonly #hasPages: boolean;
  /** Whether the page of the last row says that there is another one. */
  #goesOn = false;
  readonly #context: MessageContext;
  readonly #notes = new RowNotes();
  readonly #writers = new Map<string, Set<string>>();

  constructor(path: string, { at, directory, workspace, isNested = false }: RowFileContext) {
    this.#path = path;
    this.#directory = directory;
    this.#isNested = isNested;
    this.#hasPages = at.layout === 'list' && at.pattern.join('/') === '*/value';
    this.#context = { workspace, nameOf: (id) => directory.nameOf(id) };
  }

  add({ value, location, surroundings }: GoodRow, into: Entry[]): undefined {
    if (this.#hasPages) this.#goesOn = surroundings?.[0]?.has('@odata.nextLink') === true;
    const conversation = this.#isNested ? asString(surroundings?.[0]?.get('id')) : undefined;
    this.#addRow(value, { conversation }, location, into);
  }

  /** A message with the answers in it, or a chat with its messages. */
  #addRow(value: unknown, parent: Parent, location: Location, into: Entry[]): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return;
    }
    const fields = new Fields<TeamsMessage>(value);
    if (this.#isNested && fields.get('messageType') === undefined && Array.isArray(fields.get('messages'))) {
      addHolder(new Fields(value), location, { directory: this.#directory, into });
      this.#addChildren('messages', fields, { conversation: asString(fields.get('id')) }, location, into);
      return;
    }
    const conversation =
      asString(fields.get('chatId')) ?? asString(fields.in('channelIdentity').get('channelId')) ?? parent.conversation;
    this.#directory.lastMessages.see(messageKey(conversation, asId(fields.get('id'))));
    this.#addMessage(fields, parent, location, into);
    this.#addChildren('replies', fields, { conversation, root: asId(fields.get('id')) }, location, into);
  }

  /** One that throws is one invalid row: its parent and the others are read. */
  #addChildren(
    key: 'messages' | 'replies',
    fields: Fields<TeamsMessage>,
    parent: Parent,
    location: Location,
    into: Entry[],
  ): void {
    const children = asArray(fields.get(key));
    for (const [index, child] of children.entries()) {
      const place = { ...location, pointer: `${location.pointer ?? ''}/${key}/${index}` };
      const begin = into.length;
      try {
        this.#addRow(child, parent, place, into);
      } catch (error) {
        invalidRow(error, { into, begin, location: place, conversation: parent.conversation });
      }
    }
    const isFetched = key === 'replies' && this.#directory.hasLaterReplies(parent.conversation, parent.root);
    if (isFetched) return;
    for (const entry of moreRows(key, fields, location))
      if (entry.type === 'problem') this.#notes.add(entry.code, entry.reason, location, into);
  }

  #addMessage(fields: Fields<TeamsMessage>, parent: Parent, location: Location, into: Entry[]): void {
    const read = readMessage(fields, this.#context, parent);
    if (!('record' in read)) {
      into.push(invalidEntry(read.code, read.reason, location));
      return;
    }
    const { record, problem } = read;
    if (problem) this.#notes.add(problem.code, problem.reason, location, into);
    into.push(recordEntry(record, location));
    if (record.systemEvent === 'unknown') {
      const reason = 'The row reports an event, and every detail of the event is empty';
      this.#notes.addOnce('teams-lost-event', reason, location, into);
    }
    this.#noteWriter(record);
  }

  #noteWriter({ origin: { conversation }, author, reactions = [] }: MessageRecord): void {
    if (this.#directory.isDescribed(conversation) || !isChat(conversation)) return;
    const writers = this.#writers.get(conversation) ?? new Set();
    this.#writers.set(conversation, writers);
    if (writers.size > writersMax) return;
    if (author !== undefined) writers.add(author);
    for (const { users } of reactions) for (const id of users) writers.add(id);
  }

  end(): Entry[] {
    const into: Entry[] = [];
    const location = { path: this.#path };
    for (const [id, writers] of this.#writers) {
      const known = this.#directory.chat(id);
      const pair = parsePair(id);
      const members = pair ?? [...writers];
      const isPair = (pair !== undefined || known?.type === 'direct') && members.length === 2;
      into.push(recordEntry(describeChat(id, known, isPair, members), location));
      if (pair !== undefined) continue;
      const reason = 'Nothing lists the people of this chat: those who wrote in it are taken';
      this.#notes.add('teams-unlisted-members', reason, location, into);
    }
    if (this.#goesOn) into.push(unfinishedEntry(location));
    this.#notes.end(this.#path, into);
    return into;
  }
}

function describeChat(
  id: string,
  known: ConversationRecord | undefined,
  isPair: boolean,
  members: readonly string[],
): ConversationRecord {
  return {
    ...(known ?? { kind: 'conversation', id, name: '' }),
    type: isPair ? 'direct' : 'group-direct',
    members: [...members],
  };
}

/** Channels have people of their own, whom only their lists say. */
const isChat = (id: string): boolean => !/@thread\.(?:tacv2|skype)$/i.test(id);
