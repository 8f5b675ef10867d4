import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { Location } from '../../lib/text/location.ts';
import { invalidEntry } from '../kit/entries.ts';
import { excerpt } from '../kit/narrow.ts';
import { lineProblem } from '../kit/rows/text-lines.ts';
import { ChatRows } from './chat-rows.ts';
import { type Chat, partnerOf } from './chats.ts';
import { isSaved, titleIn } from './format.ts';
import { OpenNames } from './known-names.ts';
import { type FoundLine, rowsIn } from './read-rows.ts';
import { eventIn } from './words.ts';

/** Lines of the head. */
const headLines = 5;
/** A line of the app is no longer. */
const eventLengthMax = 500;

/** The entries of one chat. It stands for itself: what is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const reading = new Reading(chat, await partnerOf(input, path, chat));
  for await (const lines of rowsIn(input, path, chat.knownNames)) {
    const into: Entry[] = [];
    for (const line of lines) reading.add(line, into);
    yield into;
  }
  const into: Entry[] = [];
  reading.end(into);
  reading.rows.notes.end(path, into);
  yield into;
}

class Reading {
  readonly rows: ChatRows;
  readonly #chat: Chat;
  /** Of the last heading, for lines that have a time of day alone. */
  #dayMs: number | undefined;
  #isBadDay = false;
  /** Lines of messages have a time of day alone, and those of the app none. */
  #isOfWindows = false;
  readonly #openNames = new OpenNames<Location>();

  constructor(chat: Chat, partner: string | undefined) {
    this.#chat = chat;
    this.rows = new ChatRows(chat, partner);
  }

  add(found: FoundLine, into: Entry[]): void {
    const { location, line, text, fault, broken } = found;
    this.#isOfWindows ||= line.kind === 'timed' || (line.kind === 'day' && text.startsWith('-----'));
    const problem = fault && lineProblem(fault);
    if (fault === 'damaged') this.rows.notes.add(problem!.code, problem!.reason, location, into);
    if (fault === 'too-long' || broken !== undefined) {
      const [code, reason] = broken === undefined ? [problem!.code, problem!.reason] : ['kakaotalk-bad-row', broken];
      into.push(invalidEntry(code, reason, location, this.#chat.id));
    } else if (line.kind === 'bad') this.rows.bad(location, into);
    else if (line.kind === 'day' && (!this.#isOfWindows || text.startsWith('-----')))
      this.#day(line.localMs, found, into);
    else if (line.kind === 'row') {
      const { author, localMs } = line;
      // A table has a column for names.
      if (author !== undefined && text !== line.text && !this.#chat.knownNames.has(author))
        this.#openNames.add(author, line.text, location);
      this.rows.begin({ author, localMs, location }, line.text, into);
    } else if (line.kind === 'timed') {
      if (this.#dayMs === undefined) this.rows.bad(location, into);
      else this.rows.begin({ author: line.author, localMs: this.#dayMs + line.ofDayMs, location }, line.text, into);
    } else this.#other(text, location, into);
  }

  end(into: Entry[]): void {
    this.rows.end(into);
    for (const { name, first } of this.#openNames.all()) {
      const reason = `Nothing says whether the name is ${excerpt(name)}, or ends at its first " : "`;
      this.rows.notes.add('kakaotalk-names', reason, first, into);
    }
  }

  /** A heading of a day that does not exist: what is below it has no day. */
  #day(localMs: number | undefined, { location }: FoundLine, into: Entry[]): void {
    this.rows.end(into);
    this.#dayMs = localMs;
    if (localMs === undefined && !this.#isBadDay) this.rows.bad(location, into);
    this.#isBadDay = localMs === undefined;
  }

  #other(text: string, location: FoundLine['location'], into: Entry[]): void {
    const isEvent =
      this.#isOfWindows && this.#dayMs !== undefined && text.length <= eventLengthMax && eventIn(text) !== undefined;
    if (isEvent) {
      const reason = 'The line has no time: it may be a line of the app, or the second line of a message';
      this.rows.notes.add('kakaotalk-app-or-person', reason, location, into);
      this.rows.begin({ author: undefined, localMs: this.rows.lastMs ?? this.#dayMs!, location }, text, into);
      return;
    }
    if (this.rows.goOn(text)) return;
    const isHead = location.line! <= headLines && (titleIn(text) !== undefined || isSaved(text));
    if (!isHead && text.trim() !== '') this.rows.stray(location, into);
  }
}
