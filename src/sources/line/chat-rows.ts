import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { invalidEntry, messageEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { type Chat, membersOf } from './chats.ts';
import type { Survey } from './read-lines.ts';
import { emojiIn, eventIn, filesIn, isCall } from './words.ts';

/** Characters of a message. */
const charsMax = 2 ** 20;
const minuteMs = 60_000;

/** A message whose lines are not all there yet. */
interface Pending {
  /** Undefined for a line of the app. */
  readonly author: string | undefined;
  readonly localMs: number;
  readonly location: Location;
  readonly lines: string[];
  length: number;
  /** The text begins with a quotation mark that is not closed yet. */
  isQuoteOpen: boolean;
}

/** Turns rows of a chat into entries: a message ends where the next one begins. */
export class ChatRows {
  readonly notes = new RowNotes();
  readonly #chat: Chat;
  readonly #survey: Survey;
  readonly #clock: LogClock;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  #pending: Pending | undefined;
  #isStray = false;
  #hasBegun = false;

  constructor(chat: Chat, survey: Survey) {
    this.#chat = chat;
    this.#survey = survey;
    this.#clock = new LogClock(chat.options.zone);
  }

  begin(row: Pick<Pending, 'author' | 'localMs' | 'location'>, text: string, into: Entry[]): void {
    this.end(into);
    const isQuoteOpen = text.startsWith('"') && marksIn(text) % 2 === 1;
    this.#pending = { ...row, lines: [text], length: text.length, isQuoteOpen };
  }

  /** A line without a beginning. @returns whether it belongs to a message. */
  goOn(text: string): boolean {
    const pending = this.#pending;
    if (!pending) return false;
    pending.length += text.length + 1;
    if (pending.length <= charsMax) pending.lines.push(text);
    if (marksIn(text) % 2 === 1 && pending.lines[0]!.startsWith('"')) pending.isQuoteOpen = !pending.isQuoteOpen;
    return true;
  }

  /** Text before the first message: one invalid row for all of it. */
  stray(location: Location, into: Entry[]): void {
    if (this.#isStray) return;
    this.#isStray = true;
    const reason =
      'Expected the beginning of a message, found something else; all lines before the first message count as one';
    into.push(invalidEntry('line-no-message', reason, location, this.#chat.id));
  }

  /** Ends the message above; lines that follow belong to a row that cannot be read. */
  bad(location: Location, into: Entry[]): void {
    this.end(into);
    const reason = 'Expected a date and a time of day that exist, on a day that is known';
    into.push(invalidEntry('line-bad-time', reason, location, this.#chat.id));
    this.#isStray = true;
  }

  end(into: Entry[]): void {
    const row = this.#pending;
    this.#pending = undefined;
    if (!row) return;
    this.#isStray = false;
    const { location } = row;
    if (!this.#hasBegun) this.#begin(location, into);
    if (row.isQuoteOpen) {
      const reason = 'The text begins with a quotation mark that does not end before the next line with a time';
      this.notes.add('line-open-quote', reason, location, into);
    }
    const begin = into.length;
    try {
      if (row.length > charsMax) {
        const reason = 'Cannot read the message: it is longer than any that the app sends';
        into.push(invalidEntry('line-no-end', reason, location, this.#chat.id));
      } else into.push(messageEntry(this.#message(row, into), location, this.#zoneAssumed));
    } catch (error) {
      invalidRow(error, { into, begin, location, conversation: this.#chat.id });
    }
  }

  #begin(location: Location, into: Entry[]): void {
    this.#hasBegun = true;
    const { id, title, isSameNameOpen } = this.#chat;
    if (isSameNameOpen) {
      const reason = 'Other files have the same chat name; they stay different chats';
      into.push(problemEntry('line-same-name', reason, location));
    }
    if (this.#survey.isOrderOpen && this.#chat.options.dates === 'as-evident') {
      const reason = 'The days fit their days of the week in both orders, or in none; the day is taken to come first';
      into.push(problemEntry('line-date-order', reason, location));
    }
    const members = membersOf(this.#chat, this.#survey);
    for (const member of members ?? []) this.#describe(member, location, into);
    const who =
      members === undefined ? ({ type: 'private', name: title } as const) : ({ type: 'direct', name: '' } as const);
    into.push(recordEntry({ kind: 'conversation', id, ...who, members: [...(members ?? [])] }, location));
    noteAssumption(this.notes, { assumed: this.#zoneAssumed, text: '', location }, into);
  }

  get #zoneAssumed(): 'utc' | undefined {
    return this.#chat.options.zone === undefined ? 'utc' : undefined;
  }

  #message({ author, localMs, location, lines }: Pending, into: Entry[]): MessageRecord {
    const text = unquoted(lines.join('\n').trimEnd()).trimEnd();
    const { atMs, assumed } = this.#clock.exactly({ localMs, nanoseconds: 0 });
    if (assumed !== undefined)
      noteAssumption(this.notes, { assumed, text: new Date(localMs).toISOString().slice(0, 19), location }, into);
    const record = newMessage({
      origin: {
        ...{ source: 'line', workspace: this.#chat.workspace, conversation: this.#chat.id },
        id: this.#identity.idOf([String(localMs / minuteMs), author, text]),
      },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: atMs,
      text,
    });
    const call = isCall(text);
    if (call) record.call = {};
    if (author === undefined) {
      record.systemEvent = call ? 'call' : (eventIn(text) ?? 'info');
      return record;
    }
    record.author = author;
    this.#describe(author, location, into);
    if (call) record.systemEvent = 'call';
    const files = filesIn(text, !this.#survey.hasColumns);
    if (files.length > 0) record.attachments = [...files];
    const emojiInText = emojiIn(text);
    const accidentalMarkup = meansMarkup(text, { isMarkup: false, isLineStart: true });
    if (emojiInText > 0 || accidentalMarkup)
      record.lost = { ...(emojiInText > 0 && { emojiInText }), ...(accidentalMarkup && { accidentalMarkup: 1 }) };
    return record;
  }

  #describe(id: string, location: Location, into: Entry[]): void {
    if (this.#people.add(id)) into.push(recordEntry({ kind: 'user', id, name: id }, location));
  }
}

const marksIn = (text: string): number => text.split('"').length - 1;

/** A text of several lines is in quotation marks, with those inside of it doubled. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"') || !text.includes('\n')) return text;
  const inside = text.slice(1, -1);
  return inside.replaceAll('""', '').includes('"') ? text : inside.replaceAll('""', '"');
}
