import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import { Seen } from '../kit/described.ts';
import { messageEntry, problemEntry, recordEntry, invalidEntry, type RowProblem } from '../kit/entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { type Head, localMsOf, plain, readHead } from './format.ts';
import { type Chat, type Conversation, conversationOf } from './conversation.ts';
import {
  absent,
  appOrPerson,
  dateOrder,
  noMessage,
  otherForm,
  sameName,
  tooLong,
  undated,
  unknownWords,
} from './findings.ts';
import { type ChatFacts, inspectChat } from './chat-facts.ts';
import { type RowFile, type RowWords, rowWords, splitAuthor } from './row-words.ts';
import { chatText } from './text.ts';
import { eventOf } from './words.ts';

/** Characters of a message: the app takes 65,536. */
const charsMax = 2 ** 20;

/** Authors of one chat whose names are remembered: a group has a thousand members. */
const authorsMax = 10_000;

/** The entries of one chat. It stands for itself: what is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const { dates, otherForms } = chat.options;
  const order = dates === 'as-evident' ? undefined : dates;
  const facts = await inspectChat(input, path, { order, hasOthers: otherForms === 'messages' });
  const rows = new ChatRows(chat, facts);
  const files = await localFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const reading = readTextRows(input, path, {
    conversation: chat.id,
    notes: rows.notes,
    row: (text, location, into) => rows.line(text, location, into),
    end: (into) => rows.close(into),
  });
  for await (const entries of reading) {
    for (const { record, file } of rows.takeFiles()) {
      const attachment =
        'path' in file ? await files.attachment(file) : { name: file.omitted, unavailable: 'not-in-export' };
      record.attachments = [attachment];
      // A message cannot be empty: it gets the text that the export has in place of the file.
      if (attachment.unavailable && record.text === '') record.text = 'path' in file ? file.path : file.words;
    }
    yield entries;
  }
}

/** A message whose lines are not all there yet. */
interface Pending {
  readonly head: Head;
  readonly localMs: number;
  readonly location: Location;
  readonly author: string | undefined;
  readonly isDoubtful: boolean;
  readonly lines: string[];
  length: number;
}

/** Turns lines into messages: a message ends where the next one begins. */
class ChatRows {
  readonly notes = new RowNotes();
  readonly #chat: Chat;
  readonly #look: ChatFacts;
  readonly #conversation: Conversation;
  readonly #clock: LogClock;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  readonly #known: (name: string) => boolean;
  /** Lines that begin like messages in another form, and the first of them. */
  #others: { readonly location: Location; count: number } | undefined;
  #files: { readonly record: NewMessage; readonly file: RowFile }[] = [];
  /** Who wrote, by name. */
  readonly #authors = new Set<string>();
  #pending: Pending | undefined;
  #isStray = false;
  /** The lines belong to a message whose time cannot be read. */
  #isUndated = false;
  #hasBegun = false;

  constructor(chat: Chat, facts: ChatFacts) {
    this.#chat = chat;
    this.#look = facts;
    this.#conversation = conversationOf(chat, facts);
    this.#clock = new LogClock(chat.options.zone);
    this.#known = (name) => this.#authors.has(name);
    for (const author of facts.authors) this.#authors.add(author);
  }

  line(text: string, location: Location, into: Entry[]): RowProblem | undefined {
    const head = readHead(text);
    const { shape, outline, dates, others } = this.#look;
    const isMain = head !== undefined && head.shape === shape;
    const localMs = head && localMsOf(head, (isMain ? undefined : others.get(head.shape)) ?? dates.order);
    const fault = head && head.outline === outline ? this.#faultOf(head, localMs, text) : undefined;
    if (fault) {
      this.end(into);
      this.#isUndated = true;
      return fault;
    }
    const isMessage = head !== undefined && (isMain || others.has(head.shape)) && !this.#isClockOpen(head);
    if (isMessage && localMs !== undefined) {
      this.end(into);
      this.#isUndated = false;
      const { author, text: first, isDoubtful = false } = splitAuthor(head.rest, this.#known);
      this.#pending = { head, localMs, location, author, isDoubtful, lines: [first], length: first.length };
      return undefined;
    }
    if (head && !head.isCopied && !isMain) this.#addOther(head, location);
    if (this.#goesOn(text) || this.#isUndated) return undefined;
    if (text.trim() === '' || this.#isStray) return undefined;
    // Once for all of them.
    this.#isStray = true;
    return noMessage;
  }

  /** Why a line that begins as those of the file do is no message. */
  #faultOf(head: Head, localMs: number | undefined, text: string): RowProblem | undefined {
    const beginning = text.slice(0, text.length - head.rest.length);
    if (localMs === undefined) return undated(beginning);
    if (!this.#isClockOpen(head)) return undefined;
    const isMessage = this.#look.isClockUnknown || splitAuthor(head.rest).author !== undefined;
    return isMessage ? unknownWords(head.unknown, beginning) : undefined;
  }

  #isClockOpen({ unknown }: Head): boolean {
    return unknown !== '' && !this.#look.harmlessWords.has(unknown);
  }

  #addOther(head: Head, location: Location): void {
    if (splitAuthor(head.rest).author === undefined) return;
    this.#others ??= { location, count: 0 };
    this.#others.count += 1;
  }

  /** Behind the last line: what was counted. */
  close(into: Entry[]): void {
    this.end(into);
    if (this.#others === undefined || this.#chat.options.otherForms !== 'ask') return;
    const { count, location } = this.#others;
    into.push(problemEntry('whatsapp-other-form', otherForm(count), location));
  }

  #goesOn(text: string): boolean {
    const pending = this.#pending;
    if (!pending) return false;
    pending.length += text.length + 1;
    if (pending.length <= charsMax) pending.lines.push(text);
    return true;
  }

  /** The message that is held is whole. */
  end(into: Entry[]): void {
    const row = this.#pending;
    this.#pending = undefined;
    if (!row) return;
    if (!this.#hasBegun) this.#begin(row, into);
    if (row.length > charsMax) into.push(invalidEntry(tooLong.code, tooLong.reason, row.location, this.#chat.id));
    else this.#finish(row, into);
  }

  /** Ends a message here, and not at the beginning of the next: that one must be read even if this one throws. */
  #finish(row: Pending, into: Entry[]): void {
    const begin = into.length;
    try {
      into.push(messageEntry(this.#message(row, into), row.location, this.#zoneAssumed));
    } catch (error) {
      invalidRow(error, { into, begin, location: row.location, conversation: this.#chat.id });
    }
  }

  /** Files of messages since the last time. */
  takeFiles() {
    const files = this.#files;
    this.#files = [];
    return files;
  }

  #begin({ location }: Pending, into: Entry[]): void {
    this.#hasBegun = true;
    if (this.#chat.isSameNameOpen) into.push(problemEntry(sameName.code, sameName.reason, location));
    if (this.#look.dates.isAssumed) into.push(problemEntry(dateOrder.code, dateOrder.reason, location));
    const { record, partner } = this.#conversation;
    for (const id of record.members) this.#describe(id === partner?.id ? partner.name : id, location, into);
    into.push(recordEntry(record, location));
    noteAssumption(this.notes, { assumed: this.#zoneAssumed, text: '', location }, into);
  }

  get #zoneAssumed(): 'utc' | undefined {
    return this.#chat.options.zone === undefined ? 'utc' : undefined;
  }

  #message(row: Pending, into: Entry[]): NewMessage {
    const { head, localMs, location } = row;
    const said = this.#wordsOf(row, into);
    const { atMs, assumed } = this.#clock.exactly({ localMs, nanoseconds: 0 });
    if (assumed !== undefined) {
      const wallTime = new Date(localMs).toISOString().slice(0, 19);
      noteAssumption(this.notes, { assumed, text: wallTime, location }, into);
    }
    const { markdown, mentions, lost } = chatText(said.text);
    const record = newMessage({
      origin: {
        source: 'whatsapp',
        workspace: this.#chat.workspace,
        conversation: this.#chat.id,
        id: this.#identity.idOf(cellsOf(head, said)),
      },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: atMs,
      text: markdown,
    });
    this.#add(said, record, location, into);
    const mentioned = mentions.map((name) => this.#describe(name, location, into));
    if (mentioned.length > 0) record.mentions = mentioned;
    if (Object.keys(lost).length > 0) record.lost = lost;
    return record;
  }

  #wordsOf({ head, location, author, isDoubtful, lines }: Pending, into: Entry[]): RowWords {
    const isChat = author !== undefined && author === this.#look.chatName;
    const said = rowWords(author, lines, { isIos: head.isIos, isChat, known: this.#known });
    if (said.kind === 'absent') this.notes.add('whatsapp-absent', absent, location, into);
    const { unknownLines } = this.#chat.options;
    if (!isDoubtful && author !== undefined && this.#authors.size < authorsMax) this.#authors.add(author);
    if (!isDoubtful && !said.isDoubtful) return said;
    if (unknownLines === 'ask') this.notes.add('whatsapp-app-or-person', appOrPerson(author!), location, into);
    return unknownLines === 'app' ? { ...said, kind: 'system' } : said;
  }

  #add({ author, kind, text, file, isEdited }: RowWords, record: NewMessage, location: Location, into: Entry[]): void {
    if (kind === 'system') {
      record.systemEvent = eventOf(text);
      // On iOS: who did it, or the chat itself.
      const isChat = author === this.#chat.title || author === this.#look.chatName;
      if (author !== undefined && !isChat) record.custom = { by: author };
      return;
    }
    if (kind === 'absent') {
      record.systemEvent = 'absent';
      record.custom = { by: author! };
      return;
    }
    if (author !== undefined) record.author = this.#describe(author, location, into);
    if (kind === 'deleted') record.isDeleted = true;
    if (kind === 'call') record.call = callOf(record.sentAtMs, text);
    if (isEdited) record.edited = {};
    // A message without anything is a picture that could be seen once.
    const isOnce = kind === 'message' && text === '' && file === undefined;
    if (file || isOnce) this.#files.push({ record, file: file ?? { omitted: 'view once', words: '' } });
  }

  /** Describes the person when they are first seen. @returns Their id: the name, except for the other one of chats of one name. */
  #describe(name: string, location: Location, into: Entry[]): string {
    const { partner } = this.#conversation;
    const id = name === partner?.name ? partner.id : name;
    if (this.#people.add(id))
      into.push(recordEntry({ kind: 'user', id, name: name.replace(/^~\s?(?=\S)/, '') }, location));
    return id;
  }
}

/**
 * Returns the values that identify a message in every later export: its time, as numbers in their written order,
 * whichever of them is the day; its author; its content. A file counts only as a file: exports without media do not
 * name it, and those of iOS name it differently each time.
 */
function cellsOf({ date, secondOfDay }: Head, { author, text, file, kind }: RowWords): readonly (string | undefined)[] {
  const [a, b, c] = date;
  const words = `${kind === 'deleted' ? 'deleted' : ''}${file ? 'file' : ''}`;
  return [`${a} ${b} ${c} ${secondOfDay}`, author, kind === 'deleted' ? '' : plain(text), words];
}

const minutes = { h: 60, m: 1, s: 1 / 60 } as const;

/** `Voice call, 1 hr 5 min` ends after 65 minutes; one that was missed has no end. */
function callOf(startedAtMs: number, text: string): NonNullable<NewMessage['call']> {
  let length = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,5})\s?([hms])/gi))
    length += Number(count) * minutes[unit!.toLowerCase() as keyof typeof minutes];
  return length === 0 ? { startedAtMs } : { startedAtMs, endedAtMs: startedAtMs + Math.round(length * 60_000) };
}
