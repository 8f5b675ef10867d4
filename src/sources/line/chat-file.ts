import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { invalidEntry } from '../kit/entries.ts';
import { lineProblem } from '../kit/rows/text-lines.ts';
import { ChatRows } from './chat-rows.ts';
import type { Chat } from './chats.ts';
import { type DateOrder, isSaved, slashedMs, titleIn } from './format.ts';
import { type FoundLine, linesIn, type Survey, surveyOf } from './read-lines.ts';
import { SpacedNames } from './spaced-names.ts';
import { eventIn, isCall } from './words.ts';

/** Lines of the head. */
const headLines = 5;

/** The entries of one chat. What is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const reading = new Reading(chat, await surveyOf(input, path));
  for await (const lines of linesIn(input, path)) {
    const into: Entry[] = [];
    for (const line of lines) reading.add(line, { path, line: line.line }, into);
    yield into;
  }
  const into: Entry[] = [];
  reading.rows.end(into);
  reading.rows.notes.end(path, into);
  yield into;
}

class Reading {
  readonly rows: ChatRows;
  readonly #chat: Chat;
  readonly #survey: Survey;
  readonly #order: DateOrder;
  readonly #names: SpacedNames;
  /** Of the last heading. */
  #dayMs: number | undefined;
  #isBadDay = false;

  constructor(chat: Chat, survey: Survey) {
    this.#chat = chat;
    this.#survey = survey;
    this.#order = chat.options.dates === 'as-evident' ? survey.order : chat.options.dates;
    this.#names = new SpacedNames(chat);
    this.rows = new ChatRows(chat, survey);
  }

  add({ found, text, fault }: FoundLine, location: Location, into: Entry[]): void {
    const problem = fault && lineProblem(fault);
    if (fault === 'damaged') this.rows.notes.add(problem!.code, problem!.reason, location, into);
    if (fault === 'too-long') into.push(invalidEntry(problem!.code, problem!.reason, location, this.#chat.id));
    else if (found.kind === 'bad') this.rows.bad(location, into);
    else if (found.kind === 'day') this.#day(found.localMs, location, into);
    else if (found.kind === 'slashed-day') this.#day(slashedMs(found.day, this.#order), location, into);
    else if (found.kind === 'columns' && this.#isBeginning(found, text)) this.#begin(found, location, into);
    else if (found.kind === 'spaced' && !this.#survey.hasColumns) this.#spaced(found, text, location, into);
    else this.#other(text, location, into);
  }

  /** A heading of a day that does not exist: what is below it has no day. */
  #day(localMs: number | undefined, location: Location, into: Entry[]): void {
    this.rows.end(into);
    this.#dayMs = localMs;
    if (localMs === undefined && !this.#isBadDay) this.rows.bad(location, into);
    this.#isBadDay = localMs === undefined;
  }

  #begin(
    row: { readonly ofDayMs: number; readonly author: string | undefined; readonly text: string },
    location: Location,
    into: Entry[],
  ): void {
    if (this.#dayMs === undefined) this.rows.bad(location, into);
    else this.rows.begin({ author: row.author, localMs: this.#dayMs + row.ofDayMs, location }, row.text, into);
  }

  /** Of a file with one space, a line with two is one of the app: it has no name. */
  #isBeginning(found: { readonly author: string | undefined; readonly text: string }, line: string): boolean {
    const isOfApp = found.author === undefined && (eventIn(found.text) !== undefined || isCall(found.text));
    return this.#survey.hasColumns || line.includes('\t') || isOfApp;
  }

  #spaced(
    { ofDayMs, text }: { readonly ofDayMs: number; readonly text: string },
    whole: string,
    location: Location,
    into: Entry[],
  ): void {
    const said = this.#names.split(text);
    if (said === undefined) {
      this.#other(whole, location, into);
      return;
    }
    if (said.isOpen) {
      const reason = `Nothing says whether "${said.author!}" is a whole name: it ends at the first space`;
      this.rows.notes.add('line-names', reason, location, into);
    }
    this.#begin({ ofDayMs, ...said }, location, into);
  }

  #other(text: string, location: Location, into: Entry[]): void {
    if (this.rows.goOn(text)) return;
    const isHead = location.line! <= headLines && (titleIn(text) !== undefined || isSaved(text));
    if (!isHead && text.trim() !== '') this.rows.stray(location, into);
  }
}
