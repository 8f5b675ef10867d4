import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { invalidEntry, type RowProblem } from '../kit/entries.ts';
import { localFiles, type NamedFile } from '../kit/files/local-files.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { pastedReasons } from '../kit/rows/chat-log.ts';
import { isBack } from '../kit/rows/log-order.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { localTime } from '../kit/time/wall-time.ts';
import { ExportedChat } from './exported-chat.ts';
import { type MarkdownHead, markdownRow, readHead } from './markdown-row.ts';
import { findTitle } from './layout.ts';
import type { Place } from './options.ts';

/** Characters of a message: the app takes some ten thousand. */
const charsMax = 2 ** 20;

/** The entries of `chat.md`. It stands for itself. */
export async function* readMarkdown(place: Place): AsyncGenerator<readonly Entry[]> {
  const { input, path } = place;
  const rows = new MarkdownRows(place);
  const files = await localFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const reading = readTextRows(input, path, {
    conversation: findTitle(input, path),
    notes: rows.notes,
    row: (text, location, into) => rows.line(text, location, into),
    end: (into) => rows.end(into),
  });
  for await (const entries of reading) {
    for (const { record, named } of rows.takeFiles())
      record.attachments = await Promise.all(named.map((file) => files.attachment(file)));
    yield entries;
  }
}

/** A message whose lines are not all there yet. */
interface Pending {
  readonly head: MarkdownHead;
  readonly localMs: number;
  readonly location: Location;
  readonly lines: string[];
  length: number;
}

/** Groups lines into messages: one ends where the next begins. */
class MarkdownRows {
  readonly notes = new RowNotes();
  readonly #chat: ExportedChat;
  readonly #hasZone: boolean;
  readonly #clock: LogClock;
  #files: { readonly record: NewMessage; readonly named: readonly NamedFile[] }[] = [];
  #pending: Pending | undefined;
  #isStray = false;
  /** The lines belong to a message whose time cannot be read. */
  #isUndated = false;
  /** Time of the first message. */
  #firstMs: number | undefined;
  #lastMs = 0;
  #count = 0;
  /** From a message on that has the time of the first one: what was before it, and how much of it was repeated. */
  #run: { readonly location: Location; readonly lastMs: number; readonly count: number; repeated: number } | undefined;

  constructor(place: Place) {
    const { zone } = place.options;
    this.#chat = new ExportedChat(place);
    this.#hasZone = zone !== undefined;
    this.#clock = new LogClock(zone);
  }

  line(text: string, location: Location, into: Entry[]): RowProblem | undefined {
    const head = readHead(text);
    const localMs = head && readLocalTime(head);
    if (head) {
      this.#finish(into);
      this.#isUndated = localMs === undefined;
      if (localMs === undefined) return badTime(head.time);
      this.#pending = { head, localMs, location, lines: [head.text], length: head.text.length };
      this.#judgeTime(localMs, location, into);
      return undefined;
    }
    const pending = this.#pending;
    if (pending) {
      pending.length += text.length + 1;
      if (pending.length <= charsMax) pending.lines.push(text);
      return undefined;
    }
    if (text.trim() === '' || this.#isStray || this.#isUndated) return undefined;
    // Once for all of them.
    this.#isStray = true;
    return noMessage;
  }

  /** A second run of the program goes back to the first message, and repeats all; what else goes back may be pasted. */
  #judgeTime(localMs: number, location: Location, into: Entry[]): void {
    const run = this.#run;
    if (run && localMs <= run.lastMs) run.repeated += 1;
    else this.#endRun(into);
    if (isBack(this.#lastMs, localMs)) {
      if (localMs === this.#firstMs && !this.#run)
        this.#run = { location, lastMs: this.#lastMs, count: this.#count, repeated: 1 };
      else this.#notePasted(location, into);
    }
    this.#firstMs ??= localMs;
    this.#lastMs = localMs;
    this.#count += 1;
  }

  #endRun(into: Entry[]): void {
    if (this.#run && this.#run.repeated < this.#run.count) this.#notePasted(this.#run.location, into);
    this.#run = undefined;
  }

  #notePasted(location: Location, into: Entry[]): void {
    this.notes.add('signal-pasted', pastedReasons.earlier, location, into);
  }

  end(into: Entry[]): void {
    this.#finish(into);
    this.#endRun(into);
    this.#chat.end(into);
  }

  /** Files of messages since the last time. */
  takeFiles() {
    const files = this.#files;
    this.#files = [];
    return files;
  }

  /** The message that is held is whole. */
  #finish(into: Entry[]): void {
    const row = this.#pending;
    this.#pending = undefined;
    if (row && row.length > charsMax)
      into.push(invalidEntry(tooLong.code, tooLong.reason, row.location, this.#chat.id));
    else if (row) this.#addAny(row, into);
  }

  /** Handles errors here, so that the next message is read whatever this one throws. */
  #addAny(row: Pending, into: Entry[]): void {
    const begin = into.length;
    try {
      this.#add(row, into);
    } catch (error) {
      invalidRow(error, { into, begin, location: row.location, conversation: this.#chat.id });
    }
  }

  #add({ head, localMs, location, lines }: Pending, into: Entry[]): void {
    const { atMs, assumed: assumedHour } = this.#clock.exactly({ localMs, nanoseconds: 0 });
    const assumed = this.#hasZone ? assumedHour : 'utc';
    noteAssumption(this.notes, { assumed, text: head.time, location }, into);
    const said = markdownRow(lines);
    const text = [said.text, said.sticker].filter(Boolean).join('\n');
    const cells = [head.time, head.author, said.text, said.files.map(({ name }) => name).join(), said.sticker];
    const { isDeleted, reactions } = said;
    const row = {
      location,
      atMs,
      nanoseconds: 0,
      isExact: false,
      assumed,
      author: head.author,
      text,
      isDeleted,
      reactions,
      cells,
    };
    const record = this.#chat.message(row, into);
    if (said.files.length > 0) this.#files.push({ record, named: said.files.map(namedFile) });
  }
}

/** Spaces of the path are encoded, and nothing else. */
export const namedFile = ({ name, path }: { readonly name: string; readonly path: string }): NamedFile => ({
  name: name || path.slice(path.lastIndexOf('/') + 1),
  path: path.replaceAll('%20', ' '),
});

function readLocalTime({ numbers }: MarkdownHead): number | undefined {
  const [year, month, day, hour, minute, second] = numbers as [number, number, number, number, number, number];
  return localTime({ year, month, day, hour, minute, second, fraction: '' }, undefined)?.localMs;
}

const noMessage: RowProblem = {
  code: 'signal-no-message',
  reason:
    'Expected the beginning of a message, a date and a time, and found something else; all lines before the first message count as one',
};
const badTime = (time: string): RowProblem => ({
  code: 'signal-bad-time',
  reason: `Expected a date and a time, found ${JSON.stringify(time)}`,
});
const tooLong: RowProblem = {
  code: 'signal-no-end',
  reason: 'Cannot read the message: it is longer than any that the app sends',
};
