import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { problemEntry, type RowProblem } from '../kit/entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { ChatLog, type LogRow } from '../kit/rows/chat-log.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { possibleOrders } from './date-order.ts';
import { type DateOrder, type Head, localTime, plain, readHead } from './format.ts';
import { type Chat, type Conversation, describeConversation } from './conversation.ts';
import { absent, appOrPerson, dateOrder, noMessage, otherForm, sameName, undated, unknownWords } from './findings.ts';
import { type ChatFacts, inspectChat } from './chat-facts.ts';
import { type RowFile, type RowWords, rowWords, splitAuthor } from './row-words.ts';
import { chatText } from './text.ts';
import { findEvent } from './words.ts';

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
    notes: rows.log.notes,
    row: (text, location, into) => void rows.line(text, location, into),
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

const hourMs = 3_600_000;

/** Times that a date may mean, by the order of its numbers. */
const timesOf = (head: Head, order?: DateOrder): readonly (readonly [order: DateOrder, localMs: number])[] =>
  (order === undefined ? possibleOrders(head) : [order]).flatMap((one) => {
    const ms = localTime(head, one);
    return ms === undefined ? [] : [[one, ms] as const];
  });

/** Facts of a message besides its author, time and lines. */
interface Beginning {
  readonly head: Head;
  readonly isDoubtful: boolean;
}

type ChatRow = LogRow & Beginning;

/** Turns lines into messages. */
class ChatRows {
  readonly log: ChatLog<Beginning>;
  readonly #chat: Chat;
  readonly #look: ChatFacts;
  readonly #conversation: Conversation;
  readonly #known: (name: string) => boolean;
  /** Time of the message above, and orders of dates by shape. */
  #lastMs = -Infinity;
  readonly #orders = new Map<string, DateOrder>();
  /** Lines that begin like messages in another form, and the first of them. */
  #others: { readonly location: Location; count: number } | undefined;
  #files: { readonly record: NewMessage; readonly file: RowFile }[] = [];
  /** Who wrote, by name. */
  readonly #authors = new Set<string>();

  constructor(chat: Chat, facts: ChatFacts) {
    this.#chat = chat;
    this.#look = facts;
    this.#conversation = describeConversation(chat, facts);
    const { record, partner } = this.#conversation;
    this.log = new ChatLog({
      source: 'whatsapp',
      chat,
      // Messages that came late have the time when they were written.
      isEarlier: (lastMs, localMs) => localMs < lastMs - hourMs,
      head: {
        problems: [...(chat.isSameNameOpen ? [sameName] : []), ...(facts.dates.isAssumed ? [dateOrder] : [])],
        people: record.members.map((id) => this.#person(id === partner?.id ? partner.name : id)),
        record,
      },
      message: (row, into) => this.#message(row, into),
    });
    this.#known = (name) => this.#authors.has(name);
    for (const author of facts.authors) this.#authors.add(author);
  }

  line(text: string, location: Location, into: Entry[]): void {
    const head = readHead(text);
    const { shape, outline, dates, others } = this.#look;
    const isMain = head !== undefined && head.shape === shape;
    const nextMs =
      head && !isMain && head.outline === outline && this.#chat.options.otherForms === 'ask'
        ? this.#nextTime(head)
        : undefined;
    const localMs = nextMs ?? (head && localTime(head, (isMain ? undefined : others.get(head.shape)) ?? dates.order));
    const mayBeOther = !isMain && others.size === 0 && head !== undefined && timesOf(head).length > 0;
    const fault =
      head && head.outline === outline && !(localMs === undefined && mayBeOther)
        ? this.#faultOf(head, localMs, text)
        : undefined;
    const isKnown = isMain || nextMs !== undefined || (head !== undefined && others.has(head.shape));
    const isMessage = head !== undefined && isKnown && !this.#isClockOpen(head);
    if (fault) this.log.bad(location, into, fault);
    else if (isMessage && localMs !== undefined) {
      // The name may be known from the message above.
      this.log.end(into);
      const { author, text: first, isDoubtful = false } = splitAuthor(head.rest, this.#known);
      this.#lastMs = localMs;
      this.log.begin({ head, localMs, location, author, isDoubtful }, first, into);
    } else {
      if (head && !head.isCopied && !isMain) this.#addOther(head, location);
      if (!this.log.goOn(text) && text.trim() !== '') this.log.stray(location, into, noMessage);
    }
  }

  /**
   * The time of a line that has another number of digits in its year, as a phone writes after its language was changed: a pasted line is never
   * later than the message above, and one order of its date alone must be.
   */
  #nextTime(head: Head): number | undefined {
    const times = timesOf(head, this.#orders.get(head.shape)).filter(([, ms]) => ms >= this.#lastMs);
    if (times.length !== 1) return undefined;
    const [order, localMs] = times[0]!;
    this.#orders.set(head.shape, order);
    return localMs;
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
    this.log.end(into);
    if (this.#others === undefined || this.#chat.options.otherForms !== 'ask') return;
    const { count, location } = this.#others;
    into.push(problemEntry('whatsapp-other-form', otherForm(count), location));
  }

  /** Files of messages since the last time. */
  takeFiles() {
    const files = this.#files;
    this.#files = [];
    return files;
  }

  #message(row: ChatRow, into: Entry[]): NewMessage {
    const said = this.#wordsOf(row, into);
    const { author, kind, text, file, isEdited } = said;
    const { markdown, mentions, lost } = chatText(text);
    const isOfApp = kind === 'system' || kind === 'absent';
    // On iOS: who did it, or the chat itself.
    const isChat = kind === 'system' && (author === this.#chat.title || author === this.#look.chatName);
    const record = this.log.newMessage(
      row,
      identifyingCells(row.head, said),
      {
        text: markdown,
        author: isOfApp || author === undefined ? undefined : this.#describe(author, row.location, into),
        mentions: mentions.map((name) => this.#describe(name, row.location, into)),
        edited: isEdited && !isOfApp ? {} : undefined,
        isDeleted: kind === 'deleted',
        systemEvent: isOfApp ? (kind === 'absent' ? kind : findEvent(text)) : undefined,
        custom: isOfApp && !isChat ? { by: author } : undefined,
        lost,
      },
      into,
    );
    if (kind === 'call') record.call = readCall(record.sentAtMs, text);
    // A message without anything is a picture that could be seen once.
    const isOnce = kind === 'message' && text === '' && file === undefined;
    if (!isOfApp && (file || isOnce)) this.#files.push({ record, file: file ?? { omitted: 'view once', words: '' } });
    return record;
  }

  #wordsOf({ head, location, author, isDoubtful, lines }: ChatRow, into: Entry[]): RowWords {
    const isChat = author !== undefined && author === this.#look.chatName;
    const said = rowWords(author, lines, { isIos: head.isIos, isChat, known: this.#known });
    if (said.kind === 'absent') this.log.notes.add('whatsapp-absent', absent, location, into);
    const { unknownLines } = this.#chat.options;
    if (!isDoubtful && author !== undefined && this.#authors.size < authorsMax) this.#authors.add(author);
    if (!isDoubtful && !said.isDoubtful) return said;
    if (unknownLines === 'ask') this.log.notes.add('whatsapp-app-or-person', appOrPerson(author!), location, into);
    return unknownLines === 'app' ? { ...said, kind: 'system' } : said;
  }

  /** Describes the person when they are first seen. @returns Their id. */
  #describe(name: string, location: Location, into: Entry[]): string {
    const [id, shown] = this.#person(name);
    this.log.describe(id, shown, location, into);
    return id;
  }

  /** The id of a person is the name, except for the other one of chats of one name. */
  #person(name: string): readonly [id: string, name: string] {
    const { partner } = this.#conversation;
    return [name === partner?.name ? partner.id : name, name.replace(/^~\s?(?=\S)/, '')];
  }
}

/**
 * Returns the values that identify a message in every later export: its time, as numbers in their written order,
 * whichever of them is the day; its author; its content. A file counts only as a file: exports without media do not
 * name it, and those of iOS name it differently each time.
 */
function identifyingCells(
  { date, secondOfDay }: Head,
  { author, text, file, kind }: RowWords,
): readonly (string | undefined)[] {
  const [a, b, c] = date;
  const words = `${kind === 'deleted' ? 'deleted' : ''}${file ? 'file' : ''}`;
  return [`${a} ${b} ${c} ${secondOfDay}`, author, kind === 'deleted' ? '' : plain(text), words];
}

const minutes = { h: 60, m: 1, s: 1 / 60 } as const;

/** `Voice call, 1 hr 5 min` ends after 65 minutes; one that was missed has no end. */
function readCall(startedAtMs: number, text: string): NonNullable<NewMessage['call']> {
  let length = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,5})\s?([hms])/gi))
    length += Number(count) * minutes[unit!.toLowerCase() as keyof typeof minutes];
  return length === 0 ? { startedAtMs } : { startedAtMs, endedAtMs: startedAtMs + Math.round(length * 60_000) };
}
