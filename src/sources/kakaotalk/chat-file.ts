import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { Location } from '../../lib/text/location.ts';
import { invalidEntry } from '../kit/entries.ts';
import { excerpt } from '../kit/narrow.ts';
import { ChatLog, type LogHead, type LogRow, readLogLines, sameNameReason } from '../kit/rows/chat-log.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import { type Chat, findPartner } from './chats.ts';
import { isHeadLine, isSelf, self } from './format.ts';
import { OpenNames } from './known-names.ts';
import { type FoundLine, rowsIn } from './read-rows.ts';
import { eventIn, filesIn, isDeleted, isDoneToOthers, isEventLine } from './words.ts';

/** Lines of the head. */
const headLines = 5;
const minuteMs = 60_000;

/** The entries of one chat. It stands for itself: what is made of it does not depend on other files. */
export async function* readChat(input: ExportInput, path: string, chat: Chat): AsyncGenerator<readonly Entry[]> {
  const reading = new Reading(chat, await findPartner(input, path, chat));
  yield* readLogLines(rowsIn(input, path, chat.knownNames), path, {
    notes: reading.log.notes,
    add: (line, into) => reading.add(line, into),
    end: (into) => reading.end(into),
  });
}

class Reading {
  readonly log: ChatLog;
  readonly #chat: Chat;
  /** Lines of messages have a time of day alone, and those of the app none. */
  #isOfWindows = false;
  readonly #openNames = new OpenNames<Location>();

  /** @param partner The other one in a chat of two. */
  constructor(chat: Chat, partner: string | undefined) {
    this.#chat = chat;
    const log = { source: 'kakaotalk', chat, head: describeHead(chat, partner) };
    this.log = new ChatLog({ ...log, message: (row, into) => this.#message(row, into) });
  }

  add({ location, line, text, fault, broken, pasted }: FoundLine, into: Entry[]): void {
    this.#isOfWindows ||= line.kind === 'timed' || (line.kind === 'day' && text.startsWith('-----'));
    if (this.log.isUnreadable(fault, location, into)) return;
    if (pasted !== undefined) this.log.notePasted(pasted, location, into);
    if (broken !== undefined) into.push(invalidEntry('kakaotalk-bad-row', broken, location, this.#chat.id));
    else if (line.kind === 'bad') this.log.bad(location, into);
    else if (line.kind === 'day' && (!this.#isOfWindows || text.startsWith('-----')))
      this.log.day(line.localMs, location, into);
    else if (line.kind === 'row') {
      const { author, localMs } = line;
      // A table has a column for names.
      const isTable = text === line.text;
      if (author !== undefined && isTable && isDoneToOthers(text)) {
        this.#noteApp('The line has a name, and words of the app', location, into);
        this.log.begin({ author: undefined, localMs, location }, text, into);
        return;
      }
      if (author !== undefined && !isTable && !this.#chat.knownNames.has(author))
        this.#openNames.add(author, line.text, location);
      this.log.begin({ author, localMs, location }, line.text, into);
    } else if (line.kind === 'timed')
      this.log.begin({ author: line.author, localMs: this.log.timeOf(line.ofDayMs), location }, line.text, into);
    else if (line.kind === 'untimed')
      this.log.begin({ author: undefined, localMs: this.log.lastMs, location }, text, into);
    else this.#other(text, location, into);
  }

  #noteApp(reason: string, location: Location, into: Entry[]): void {
    this.log.notes.add('kakaotalk-app-or-person', reason, location, into);
  }

  end(into: Entry[]): void {
    this.log.end(into);
    for (const { name, first } of this.#openNames.all()) {
      const reason = `Nothing says whether the name is ${excerpt(name)}, or ends at its first " : "`;
      this.log.notes.add('kakaotalk-names', reason, first, into);
    }
  }

  #other(text: string, location: Location, into: Entry[]): void {
    const { lastMs, dayMs } = this.log;
    const isEvent = this.#isOfWindows && dayMs !== undefined && isEventLine(text);
    if (isEvent) {
      this.#noteApp(
        'The line has no time: it may be a line of the app, or the second line of a message',
        location,
        into,
      );
      this.log.begin({ author: undefined, localMs: lastMs ?? dayMs, location }, text, into);
      return;
    }
    if (this.log.goOn(text)) return;
    const isHead = location.line! <= headLines && isHeadLine(text);
    if (!isHead && text.trim() !== '') this.log.stray(location, into);
  }

  #message(row: LogRow, into: Entry[]): MessageRecord {
    // Files of a phone end with empty lines.
    const text = row.lines.join('\n').trimEnd();
    const author = row.author === undefined ? undefined : this.#idOf(row.author);
    // Minutes alone: a Mac writes seconds, and the message is the same.
    const cells = [String(Math.floor(row.localMs / minuteMs)), author, text];
    if (author === undefined)
      return this.log.newMessage(row, cells, { text, systemEvent: eventIn(text) ?? 'info' }, into);
    this.log.describe(author, nameOf(author, this.#chat), row.location, into);
    const lost = { accidentalMarkup: countMarkup(text) };
    const said = { text, author, attachments: filesIn(text), isDeleted: isDeleted(text), lost };
    return this.log.newMessage(row, cells, said, into);
  }

  #idOf(name: string): string {
    return isSelf(name) || name === this.#chat.options.me ? self : name;
  }
}

const nameOf = (id: string, { options }: Chat): string => (id === self ? options.me || 'Me' : id);

function describeHead(chat: Chat, partner: string | undefined): LogHead {
  const { id, title, isSameNameOpen } = chat;
  const members = partner === undefined ? [] : [self, partner];
  const who =
    partner === undefined ? ({ type: 'private', name: title } as const) : ({ type: 'direct', name: '' } as const);
  return {
    problems: isSameNameOpen ? [{ code: 'kakaotalk-same-name', reason: sameNameReason }] : [],
    people: [self, ...members.slice(1)].map((member) => [member, nameOf(member, chat)]),
    record: { kind: 'conversation', id, ...who, members },
  };
}
