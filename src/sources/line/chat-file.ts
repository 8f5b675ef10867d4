import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import { ChatLog, type LogHead, type LogRow, readLogLines, sameNameReason } from '../kit/rows/chat-log.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import { type Chat, findMembers } from './chats.ts';
import { type FoundLine, isSaved, titleIn } from './format.ts';
import { dayMs, isDay, orderedLines, type Survey, surveyChat } from './read-lines.ts';
import { SpacedNames } from './spaced-names.ts';
import { emojiIn, eventIn, filesIn, isCall } from './words.ts';

/** Lines of the head. */
const headLines = 5;
const minuteMs = 60_000;

/** The entries of one chat. What is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const survey = await surveyChat(input, path, chat.options.dates);
  const reading = new Reading(chat, survey);
  yield* readLogLines(orderedLines(input, path, survey), path, {
    notes: reading.log.notes,
    add: (line, into) => reading.add(line, { path, line: line.line }, into),
    end: (into) => reading.log.end(into),
  });
}

class Reading {
  readonly log: ChatLog;
  readonly #survey: Survey;
  readonly #names: SpacedNames;
  /** The lines above are a heading that is a part of a text, and what follows it. */
  #isInPaste = false;

  constructor(chat: Chat, survey: Survey) {
    this.#survey = survey;
    this.#names = new SpacedNames(chat);
    const head = describeHead(chat, survey);
    this.log = new ChatLog({ source: 'line', chat, head, message: (row, into) => this.#message(row, into) });
  }

  add({ found, text, fault, pasted }: FoundLine, location: Location, into: Entry[]): void {
    if (this.log.isUnreadable(fault, location, into)) return;
    if (pasted !== undefined) this.log.notePasted(pasted, location, into);
    this.#isInPaste = pasted === 'heading' || (this.#isInPaste && !(found.kind === 'columns' || isDay(found)));
    if (found.kind === 'bad') this.log.bad(location, into);
    else if (isDay(found)) this.log.day(dayMs(found, this.#survey.order), location, into);
    else if (found.kind === 'columns' && this.#isBeginning(found)) this.#begin(found, location, into);
    else if (found.kind === 'spaced' && !this.#survey.hasColumns) this.#spaced(found, text, location, into);
    else {
      if (found.kind === 'columns' && found.author !== undefined && text.includes('\t'))
        this.log.notePasted('form', location, into);
      this.#other(text, location, into);
    }
  }

  #begin(
    row: { readonly ofDayMs: number; readonly author: string | undefined; readonly text: string },
    location: Location,
    into: Entry[],
  ): void {
    this.log.begin({ author: row.author, localMs: this.log.timeOf(row.ofDayMs), location }, row.text, into);
  }

  /** Of a file with one space, a line with two is one of the app: it has no name. */
  #isBeginning(found: { readonly author: string | undefined; readonly text: string }): boolean {
    const isOfApp = found.author === undefined && (eventIn(found.text) !== undefined || isCall(found.text));
    return this.#survey.hasColumns || isOfApp;
  }

  #spaced(
    { ofDayMs, text }: { readonly ofDayMs: number; readonly text: string },
    whole: string,
    location: Location,
    into: Entry[],
  ): void {
    const said = this.#names.split(text);
    if (said === undefined || (this.#isInPaste && said.isDoubtful)) {
      this.#other(whole, location, into);
      return;
    }
    this.#isInPaste = false;
    if (said.isDoubtful) {
      const reason = 'The line may be one of the app, or words of a person: nothing but spaces is around the name';
      this.log.notes.add('line-app-or-person', reason, location, into);
    }
    if (said.isOpen) {
      const reason = `Nothing says whether "${said.author!}" is a whole name: it ends at the first space`;
      this.log.notes.add('line-names', reason, location, into, [said.author!]);
    }
    this.#begin({ ofDayMs, ...said }, location, into);
  }

  #other(text: string, location: Location, into: Entry[]): void {
    if (this.log.goOn(text)) return;
    const isHead = location.line! <= headLines && (titleIn(text) !== undefined || isSaved(text));
    if (!isHead && text.trim() !== '') this.log.stray(location, into);
  }

  #message(row: LogRow, into: Entry[]): MessageRecord {
    const { author, localMs, location, lines } = row;
    const typed = lines.join('\n');
    if (typed.startsWith('"') && typed.split('"').length % 2 === 0) {
      const reason = 'The text begins with a quotation mark that does not end before the next line with a time';
      this.log.notes.add('line-open-quote', reason, location, into);
    }
    const text = unquoted(typed.trimEnd()).trimEnd();
    const event = author === undefined || text.startsWith(author) ? eventIn(text) : undefined;
    const isOfApp = author === undefined || event !== undefined;
    const said = isOfApp
      ? { systemEvent: event ?? 'info' }
      : {
          author,
          attachments: filesIn(text, !this.#survey.hasColumns),
          lost: { emojiInText: emojiIn(text) || undefined, accidentalMarkup: countMarkup(text) },
        };
    if (!isOfApp) this.log.describe(author, author, location, into);
    const call = isCall(text) ? { systemEvent: 'call', call: {} } : undefined;
    return this.log.newMessage(row, [String(localMs / minuteMs), author, text], { text, ...said, ...call }, into);
  }
}

function describeHead(chat: Chat, survey: Survey): LogHead {
  const { id, title, isSameNameOpen, options } = chat;
  const dateOrder = 'The days fit their days of the week in both orders, or in none; the day is taken to come first';
  const isOrderOpen = survey.isOrderOpen && options.dates === 'as-evident';
  const members = findMembers(chat, survey);
  const who =
    members === undefined ? ({ type: 'private', name: title } as const) : ({ type: 'direct', name: '' } as const);
  return {
    problems: [
      ...(isSameNameOpen ? [{ code: 'line-same-name', reason: sameNameReason }] : []),
      ...(isOrderOpen ? [{ code: 'line-date-order', reason: dateOrder }] : []),
    ],
    people: members?.map((member) => [member, member] as const) ?? [],
    record: { kind: 'conversation', id, ...who, members: [...(members ?? [])] },
  };
}

/** A text of several lines is in quotation marks, with those inside of it doubled. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"') || !text.includes('\n')) return text;
  const inside = text.slice(1, -1);
  return inside.replaceAll('""', '').includes('"') ? text : inside.replaceAll('""', '"');
}
