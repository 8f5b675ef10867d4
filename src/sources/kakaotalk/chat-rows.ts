import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { messageEntry, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import type { Chat } from './chats.ts';
import { isSelf, self } from './format.ts';
import { eventIn, filesIn, isDeleted } from './words.ts';

/** Characters of a message. */
const charsMax = 2 ** 20;
const minuteMs = 60_000;

/** A message whose lines are not all there yet. */
interface Pending {
  readonly author: string | undefined;
  readonly localMs: number;
  readonly location: Location;
  readonly lines: string[];
  length: number;
}

/** Turns rows of a chat into entries: a message ends where the next one begins. */
export class ChatRows {
  readonly notes = new RowNotes();
  readonly #chat: Chat;
  /** The other one in a chat of two. */
  readonly #partner: string | undefined;
  readonly #clock: LogClock;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  #pending: Pending | undefined;
  #isStray = false;
  #hasBegun = false;

  constructor(chat: Chat, partner: string | undefined) {
    this.#chat = chat;
    this.#partner = partner;
    this.#clock = new LogClock(chat.options.zone);
  }

  begin(row: Omit<Pending, 'lines' | 'length'>, text: string, into: Entry[]): void {
    this.end(into);
    this.#pending = { ...row, lines: [text], length: text.length };
  }

  /** A line without a beginning. @returns whether it belongs to a message. */
  goOn(text: string): boolean {
    const pending = this.#pending;
    if (!pending) return false;
    pending.length += text.length + 1;
    if (pending.length <= charsMax) pending.lines.push(text);
    return true;
  }

  /** Text before the first message: one invalid row for all of it. */
  stray(location: Location, into: Entry[]): void {
    if (this.#isStray) return;
    this.#isStray = true;
    const reason =
      'Expected the beginning of a message, found something else; all lines before the first message count as one';
    into.push(invalidEntry('kakaotalk-no-message', reason, location, this.#chat.id));
  }

  /** Ends the message above; lines that follow belong to a row that cannot be read. */
  bad(location: Location, into: Entry[]): void {
    this.end(into);
    const reason = 'Expected a date and a time of day that exist, on a day that is known';
    into.push(invalidEntry('kakaotalk-bad-time', reason, location, this.#chat.id));
    this.#isStray = true;
  }

  /** Time of the message above. */
  get lastMs(): number | undefined {
    return this.#pending?.localMs;
  }

  end(into: Entry[]): void {
    const row = this.#pending;
    this.#pending = undefined;
    if (!row) return;
    this.#isStray = false;
    const { location } = row;
    if (!this.#hasBegun) this.#begin(location, into);
    const begin = into.length;
    try {
      if (row.length > charsMax) {
        const reason = 'Cannot read the message: it is longer than any that the app sends';
        into.push(invalidEntry('kakaotalk-too-long', reason, location, this.#chat.id));
      } else into.push(messageEntry(this.#message(row, into), location, this.#zoneAssumed));
    } catch (error) {
      invalidRow(error, { into, begin, location, conversation: this.#chat.id });
    }
  }

  #begin(location: Location, into: Entry[]): void {
    this.#hasBegun = true;
    const { id, title, isSameNameOpen } = this.#chat;
    const partner = this.#partner;
    if (isSameNameOpen) {
      const reason = 'Other files have the same chat name; they stay different chats';
      into.push(problemEntry('kakaotalk-same-name', reason, location));
    }
    this.#describe(self, location, into);
    if (partner !== undefined) this.#describe(partner, location, into);
    const members = partner === undefined ? [] : [self, partner];
    const type = partner === undefined ? 'private' : 'direct';
    into.push(
      recordEntry({ kind: 'conversation', id, type, name: partner === undefined ? title : '', members }, location),
    );
    noteAssumption(this.notes, { assumed: this.#zoneAssumed, text: '', location }, into);
  }

  get #zoneAssumed(): 'utc' | undefined {
    return this.#chat.options.zone === undefined ? 'utc' : undefined;
  }

  #message({ author: named, localMs, location, lines }: Pending, into: Entry[]): MessageRecord {
    // Files of a phone end with empty lines.
    const text = lines.join('\n').trimEnd();
    const { atMs, assumed } = this.#clock.exactly({ localMs, nanoseconds: 0 });
    if (assumed !== undefined)
      noteAssumption(this.notes, { assumed, text: new Date(localMs).toISOString().slice(0, 19), location }, into);
    const author = named === undefined ? undefined : this.#idOf(named);
    // Minutes alone: a Mac writes seconds, and the message is the same.
    const cells = [String(Math.floor(localMs / minuteMs)), author, text];
    const record = newMessage({
      origin: {
        ...{ source: 'kakaotalk', workspace: this.#chat.workspace },
        ...{ conversation: this.#chat.id, id: this.#identity.idOf(cells) },
      },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: atMs,
      text,
    });
    if (author === undefined) {
      record.systemEvent = eventIn(text) ?? 'info';
      return record;
    }
    record.author = author;
    this.#describe(author, location, into);
    const files = filesIn(text);
    if (files.length > 0) record.attachments = [...files];
    if (isDeleted(text)) record.isDeleted = true;
    if (meansMarkup(text, { isMarkup: false, isLineStart: true })) record.lost = { accidentalMarkup: 1 };
    return record;
  }

  #idOf(name: string): string {
    return isSelf(name) || name === this.#chat.options.me ? self : name;
  }

  #describe(id: string, location: Location, into: Entry[]): void {
    if (!this.#people.add(id)) return;
    const name = id === self ? this.#chat.options.me || 'Me' : id;
    into.push(recordEntry({ kind: 'user', id, name }, location));
  }
}
