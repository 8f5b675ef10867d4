import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { type MessageFields, type NewMessage, newMessage } from '../../../model/new-message.ts';
import type { ConversationRecord } from '../../../model/records.ts';
import { Seen } from '../described.ts';
import { invalidEntry, messageEntry, problemEntry, recordEntry, type RowProblem } from '../entries.ts';
import { LogClock } from '../time/log-clock.ts';
import { noteAssumption } from '../time/time-reading.ts';
import { isBack } from './log-order.ts';
import { invalidRow } from './row-boundary.ts';
import { RowIdentity, rowSortKey } from './row-identity.ts';
import { RowNotes } from './row-notes.ts';
import { lineProblem, type TextLine } from './text-lines.ts';

/** Characters of a message: no app takes as many. */
const charsMax = 2 ** 20;

/** A message whose lines are not all there yet. */
export interface LogRow {
  /** Undefined for a line of the app. */
  readonly author: string | undefined;
  readonly localMs: number;
  readonly location: Location;
  readonly lines: string[];
  length: number;
}

type RowBeginning = Pick<LogRow, 'author' | 'location'> & { readonly localMs: number | undefined };

/** Entries before the first message. */
export interface LogHead {
  readonly problems: readonly RowProblem[];
  /** Names by id. */
  readonly people: readonly (readonly [id: string, name: string])[];
  readonly record: ConversationRecord;
}

export interface ChatLogOptions<More> {
  readonly source: string;
  readonly chat: {
    readonly id: string;
    readonly workspace: string;
    readonly options: { readonly zone?: string | undefined };
  };
  readonly head: LogHead;
  /** Whether a message is so much earlier than the one above that it may be pasted. Default: at all. */
  isEarlier?(lastMs: number, localMs: number): boolean;
  /** The record of a message that is complete, begun by `log.newMessage`. */
  message(row: LogRow & More, into: Entry[]): NewMessage;
}

/** How a line was read that looks like a part of the log, at another time than its place. */
export const pastedReasons = {
  heading:
    'The line looks like a day, and later days go back, or no message is below it: it is read as text of the message above',
  message:
    'The line looks like a message, and is earlier than the one above or later than those below: it is read as text of the message above',
  form: 'The line looks like a message in another form than those of the file: it is read as text of the message above',
  day: 'The day is earlier than the one above: it is read as a day',
  earlier: 'The message is earlier than the one above: it is read as a message',
} as const;

export const sameNameReason = 'Other files have the same chat name; they stay different chats';

/**
 * Turns the lines of one chat, exported as text, into entries: a message ends where the next one begins, and lines between them belong
 * to the message above.
 *
 *     log.begin({ author, localMs, location }, text, into); // a line that begins a message
 *     log.goOn(text) || log.stray(location, into);          // any other line
 *     log.bad(location, into);                              // a line whose time does not exist
 *     log.end(into);                                        // behind the last line
 *
 * The conversation is described before the first message, people when they are first seen. Ids are made from the content of a row.
 *
 * @typeParam More Facts of a row that only the source knows: passed to `begin`, and back to `message`.
 */
export class ChatLog<More extends object = object> {
  readonly notes = new RowNotes();
  readonly #options: ChatLogOptions<More>;
  readonly #clock: LogClock;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  #pending: (LogRow & More) | undefined;
  /** Lines without a beginning belong to an invalid row that is counted. */
  #isStray = false;
  #hasBegun = false;
  #dayMs: number | undefined;
  #isBadDay = false;
  /** Time of the message before, unless a heading said that the day is an earlier one. */
  #beforeMs: number | undefined;

  constructor(options: ChatLogOptions<More>) {
    this.#options = options;
    this.#clock = new LogClock(options.chat.options.zone);
  }

  /** Whether the line is too long to be read: then it is an invalid row. Damaged characters are a problem of the file. */
  isUnreadable(fault: TextLine['fault'], location: Location, into: Entry[]): boolean {
    if (fault === undefined) return false;
    const { code, reason } = lineProblem(fault);
    if (fault === 'damaged') this.notes.add(code, reason, location, into);
    else this.#invalid(code, reason, location, into);
    return fault === 'too-long';
  }

  /** A line that begins a message; a bad row if its time is not known. */
  begin(row: RowBeginning & More, text: string, into: Entry[]): void {
    const { localMs } = row;
    if (localMs === undefined) {
      this.bad(row.location, into);
      return;
    }
    this.end(into);
    const { isEarlier = isBack } = this.#options;
    if (this.#beforeMs !== undefined && isEarlier(this.#beforeMs, localMs))
      this.notePasted('earlier', row.location, into);
    this.#beforeMs = localMs;
    this.#pending = { ...row, localMs, lines: [text], length: text.length };
  }

  /** A time of day, on the day of the last heading. */
  timeOf(ofDayMs: number): number | undefined {
    return this.#dayMs === undefined ? undefined : this.#dayMs + ofDayMs;
  }

  /** A heading. @param localMs Undefined for a day that does not exist: what is below it has no day. */
  day(localMs: number | undefined, location: Location, into: Entry[]): void {
    this.end(into);
    if (localMs !== undefined && localMs < (this.#dayMs ?? localMs)) {
      this.notePasted('day', location, into);
      this.#beforeMs = undefined;
    }
    this.#dayMs = localMs;
    if (localMs === undefined && !this.#isBadDay) this.bad(location, into);
    this.#isBadDay = localMs === undefined;
  }

  /** Midnight of the day of the last heading. */
  get dayMs(): number | undefined {
    return this.#dayMs;
  }

  /** Time of the message above. */
  get lastMs(): number | undefined {
    return this.#pending?.localMs;
  }

  /** A line without a beginning. @returns whether it belongs to a message. */
  goOn(text: string): boolean {
    const pending = this.#pending;
    if (!pending) return false;
    pending.length += text.length + 1;
    if (pending.length <= charsMax) pending.lines.push(text);
    return true;
  }

  /** A line that may be a part of a text, or not. */
  notePasted(as: keyof typeof pastedReasons, location: Location, into: Entry[]): void {
    this.notes.add(this.#code('pasted'), pastedReasons[as], location, into);
  }

  /** Text before the first message: one invalid row for all of it. */
  stray(
    location: Location,
    into: Entry[],
    expected = 'Expected the beginning of a message, found something else',
  ): void {
    if (this.#isStray) return;
    this.#isStray = true;
    const reason = `${expected}; all lines before the first message count as one`;
    this.#invalid(this.#code('no-message'), reason, location, into);
  }

  /** Ends the message above; lines that follow belong to a row that cannot be read. */
  bad(
    location: Location,
    into: Entry[],
    problem: RowProblem = {
      code: this.#code('bad-time'),
      reason: 'Expected a date and a time of day that exist, on a day that is known',
    },
  ): void {
    this.end(into);
    this.#invalid(problem.code, problem.reason, location, into);
    this.#isStray = true;
  }

  /** The message that is held is whole. It ends here even if reading it throws: the next one must be read. */
  end(into: Entry[]): void {
    const row = this.#pending;
    this.#pending = undefined;
    if (!row) return;
    this.#isStray = false;
    const { location } = row;
    if (!this.#hasBegun) this.#beginChat(location, into);
    const { chat, message } = this.#options;
    const begin = into.length;
    try {
      if (row.length > charsMax)
        this.#invalid(
          this.#code('no-end'),
          'Cannot read the message: it is longer than any that the app sends',
          location,
          into,
        );
      else into.push(messageEntry(message(row, into), location, this.#zoneAssumed));
    } catch (error) {
      invalidRow(error, { into, begin, location, conversation: chat.id });
    }
  }

  /** A message at the time of its row. @param cells Values that identify it in every later export. */
  newMessage(
    { localMs, location }: LogRow,
    cells: readonly (string | undefined)[],
    fields: Omit<MessageFields, 'origin' | 'sortKey' | 'sentAtMs'>,
    into: Entry[],
  ): NewMessage {
    const { atMs, assumed } = this.#clock.exactly({ localMs, nanoseconds: 0 });
    if (assumed !== undefined)
      noteAssumption(this.notes, { assumed, text: new Date(localMs).toISOString().slice(0, 19), location }, into);
    const { source, chat } = this.#options;
    return newMessage({
      origin: { source, workspace: chat.workspace, conversation: chat.id, id: this.#identity.idOf(cells) },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: atMs,
      ...fields,
    });
  }

  /** Describes a person who is seen for the first time. */
  describe(id: string, name: string, location: Location, into: Entry[]): void {
    if (this.#people.add(id)) into.push(recordEntry({ kind: 'user', id, name }, location));
  }

  #beginChat(location: Location, into: Entry[]): void {
    this.#hasBegun = true;
    const { problems, people, record } = this.#options.head;
    for (const { code, reason } of problems) into.push(problemEntry(code, reason, location));
    for (const [id, name] of people) this.describe(id, name, location, into);
    into.push(recordEntry(record, location));
    noteAssumption(this.notes, { assumed: this.#zoneAssumed, text: '', location }, into);
  }

  get #zoneAssumed(): 'utc' | undefined {
    return this.#options.chat.options.zone === undefined ? 'utc' : undefined;
  }

  /** Explained by `chatLogCodes`, but for the time. */
  #code(what: 'no-message' | 'bad-time' | 'no-end' | 'pasted'): string {
    return `${this.#options.source}-${what}`;
  }

  #invalid(code: string, reason: string, location: Location, into: Entry[]): void {
    into.push(invalidEntry(code, reason, location, this.#options.chat.id));
  }
}

/**
 * The entries of the lines of a file, in the same lists.
 *
 * @param end Entries behind the last line, before the counts of `notes`.
 */
export async function* readLogLines<Line>(
  lists: AsyncIterable<readonly Line[]>,
  path: string,
  { notes, add, end }: { notes: RowNotes; add(line: Line, into: Entry[]): void; end(into: Entry[]): void },
): AsyncGenerator<readonly Entry[]> {
  for await (const lines of lists) {
    const into: Entry[] = [];
    for (const line of lines) add(line, into);
    yield into;
  }
  const into: Entry[] = [];
  end(into);
  notes.end(path, into);
  yield into;
}
