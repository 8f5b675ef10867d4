import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { problemEntry, recordEntry, rejectEntry, type RowProblem } from '../kit/entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { rejectRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { type Head, localMsOf, plain, readHead } from './format.ts';
import { type Look, lookAt } from './look.ts';
import type { WhatsappOptions } from './options.ts';
import { type RowFile, type RowWords, rowWords, splitAuthor } from './row-words.ts';
import { chatText } from './text.ts';
import { eventOf } from './words.ts';

/** A chat and what is known of it from outside. */
export interface Chat {
  readonly title: string;
  readonly workspace: string;
  readonly options: WhatsappOptions;
}

/** Characters of a message: the app takes 65,536. */
const charsMax = 2 ** 20;

/** The entries of one chat. It stands for itself: what is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const { dates } = chat.options;
  const look = await lookAt(input, path, dates === 'as-evident' ? undefined : dates);
  const rows = new ChatRows(chat, look);
  const files = await localFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const reading = readTextRows(input, path, {
    conversation: chat.title,
    notes: rows.notes,
    row: (text, location, into) => rows.line(text, location, into),
    end: (into) => rows.end(into),
  });
  for await (const entries of reading) {
    for (const { record, file } of rows.takeFiles()) {
      const attachment =
        'path' in file ? await files.attachment(file) : { name: file.omitted, unavailable: 'not-in-export' };
      record.attachments = [attachment];
      // Nobody could send a message of nothing: it says what the export says.
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
  readonly lines: string[];
  length: number;
}

/** Lines become messages: one ends where the next begins. */
class ChatRows {
  readonly notes = new RowNotes();
  readonly #chat: Chat;
  readonly #look: Look;
  readonly #conversation: ConversationRecord;
  readonly #clock: LogClock;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  #files: { readonly record: NewMessage; readonly file: RowFile }[] = [];
  #pending: Pending | undefined;
  #isStray = false;
  /** The lines belong to a message whose time cannot be read. */
  #isUndated = false;
  #hasBegun = false;

  constructor(chat: Chat, look: Look) {
    this.#chat = chat;
    this.#look = look;
    this.#conversation = conversationOf(chat, look);
    this.#clock = new LogClock(chat.options.zone);
  }

  line(text: string, location: Location, into: Entry[]): RowProblem | undefined {
    const head = readHead(text);
    const localMs = head && localMsOf(head, this.#look.dates.order);
    if (head && localMs === undefined && head.outline === this.#look.outline) {
      this.end(into);
      this.#isUndated = true;
      return undated(text.slice(0, text.length - head.rest.length));
    }
    if (head && localMs !== undefined && head.shape === this.#look.shape) {
      this.end(into);
      this.#isUndated = false;
      const { author, text: first } = splitAuthor(head.rest);
      this.#pending = { head, localMs, location, author, lines: [first], length: first.length };
      return undefined;
    }
    if (this.#goesOn(text) || this.#isUndated) return undefined;
    if (text.trim() === '' || this.#isStray) return undefined;
    // Once for all of them.
    this.#isStray = true;
    return noMessage;
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
    if (row.length > charsMax) into.push(rejectEntry(tooLong.code, tooLong.reason, row.location, this.#chat.title));
    else this.#finish(row, into);
  }

  /** Here, and not where the next message begins: that one must be read whatever this one throws. */
  #finish(row: Pending, into: Entry[]): void {
    const begin = into.length;
    try {
      into.push(recordEntry(this.#message(row, into), row.location));
    } catch (error) {
      rejectRow(error, { into, begin, location: row.location, conversation: this.#chat.title });
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
    if (this.#look.dates.isAssumed) into.push(problemEntry(dateOrder.code, dateOrder.reason, location));
    for (const member of this.#conversation.members) this.#describe(member, location, into);
    into.push(recordEntry(this.#conversation, location));
    const assumed = this.#chat.options.zone === undefined ? 'utc' : undefined;
    noteAssumption(this.notes, { assumed, text: '', location }, into);
  }

  #message({ head, localMs, location, author, lines }: Pending, into: Entry[]): NewMessage {
    const said = rowWords(author, lines);
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
        conversation: this.#chat.title,
        id: this.#identity.idOf(cellsOf(head, said)),
      },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: atMs,
      text: markdown,
    });
    this.#add(said, record, location, into);
    for (const name of mentions) this.#describe(name, location, into);
    if (mentions.length > 0) record.mentions = [...mentions];
    if (Object.keys(lost).length > 0) record.lost = lost;
    return record;
  }

  #add({ author, kind, text, file, isEdited }: RowWords, record: NewMessage, location: Location, into: Entry[]): void {
    if (kind === 'system') {
      record.systemEvent = eventOf(text);
      // On iOS: who did it, or the chat itself.
      if (author !== undefined && author !== this.#chat.title) record.custom = { by: author };
      return;
    }
    if (author !== undefined) {
      this.#describe(author, location, into);
      record.author = author;
    }
    if (kind === 'deleted') record.isDeleted = true;
    if (kind === 'call') record.call = callOf(record.sentAtMs, text);
    if (isEdited) record.edited = {};
    // A message without anything is a picture that could be seen once.
    const isOnce = kind === 'message' && text === '' && file === undefined;
    if (file || isOnce) this.#files.push({ record, file: file ?? { omitted: 'view once', words: '' } });
  }

  #describe(id: string, location: Location, into: Entry[]): void {
    if (!this.#people.add(id)) return;
    into.push(recordEntry({ kind: 'user', id, name: id.replace(/^~\s?(?=\S)/, '') }, location));
  }
}

/**
 * What makes a message this one, in every later export: its time as numbers in the order in which they stand, whatever is taken for the
 * day; who wrote it; what. A file counts as a file, for exports without media name none, and those of iOS name it otherwise each time.
 */
function cellsOf({ date, secondOfDay }: Head, { author, text, file, kind }: RowWords): readonly (string | undefined)[] {
  const [a, b, c] = date;
  const words = `${kind === 'deleted' ? 'deleted' : ''}${file ? 'file' : ''}`;
  return [`${a} ${b} ${c} ${secondOfDay}`, author, kind === 'deleted' ? '' : plain(text), words];
}

/**
 * A chat of two has the name of the other one, who writes in it. Everything else is a group, and private: nothing says who could come
 * in.
 */
function conversationOf({ title, options: { me } }: Chat, { authors, hasGroupEvents }: Look): ConversationRecord {
  const others = authors.filter((author) => author !== title);
  const own = others[0] ?? (me === '' ? undefined : me);
  const isDirect = !hasGroupEvents && authors.includes(title) && others.length < 2 && own !== undefined;
  return {
    kind: 'conversation',
    id: title,
    type: isDirect ? 'direct' : 'private',
    name: isDirect ? '' : title,
    members: isDirect ? [own, title] : [],
  };
}

const minutes = { h: 60, m: 1, s: 1 / 60 } as const;

/** `Voice call, 1 hr 5 min` ends after 65 minutes; one that was missed has no end. */
function callOf(startedAtMs: number, text: string): NonNullable<NewMessage['call']> {
  let length = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,5})\s?([hms])/gi))
    length += Number(count) * minutes[unit!.toLowerCase() as keyof typeof minutes];
  return length === 0 ? { startedAtMs } : { startedAtMs, endedAtMs: startedAtMs + Math.round(length * 60_000) };
}

const noMessage: RowProblem = {
  code: 'whatsapp-no-message',
  reason:
    'Expected the beginning of a message, a date and a time, and found something else; all lines before the first message count as one',
};
const undated = (beginning: string): RowProblem => ({
  code: 'whatsapp-bad-time',
  reason: `Expected a date and a time, found ${JSON.stringify(beginning.trim())}`,
});
const tooLong: RowProblem = {
  code: 'whatsapp-too-long',
  reason: 'Cannot read the message: it is longer than any that the app sends',
};
const dateOrder: RowProblem = {
  code: 'whatsapp-date-order',
  reason: 'Nothing in this file tells days from months; the day is taken to come first. Set "dates" in the mapping',
};
