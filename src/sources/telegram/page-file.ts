import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry, rejectEntry } from '../kit/entries.ts';
import {
  type FoundElement,
  firstOfClass,
  hasClass,
  type HtmlElement,
  readHtmlElements,
  wordsIn,
} from '../kit/text/html-elements.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { rejectRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { noteAssumption, timeReader } from '../kit/time/time-reading.ts';
import { People } from './chat.ts';
import { readPageMessage } from './page-message.ts';
import type { ResultOptions } from './result-file.ts';

/** Of a page: its head, which has the name of the chat, and each message. */
const isWanted = (name: string, { class: kind = '' }: HtmlElement['attributes']): boolean =>
  name === 'div' && /(?:^|\s)(?:page_header|message)(?:\s|$)/.test(kind);

/** Of a page, where it is closed. */
const endBytes = 256;

/**
 * One page of a chat: `messages.html`, `messages2.html` and so on. It stands for itself.
 *
 *     <div class="message default clearfix" id="message12"> … <div class="pull_right date details" title="02.03.2026 10:15:00 UTC+01:00">
 *       … <div class="from_name">Ines</div> <div class="text">Low water</div>
 *
 * A page has no ids but those of messages: the chat and people are called by their names. Who wrote the message before as well
 * (`joined`) is not named again. Lines of the program have no time: they get that of what stands before.
 * https://github.com/telegramdesktop/tdesktop/blob/dev/Telegram/SourceFiles/export/output/export_output_html.cpp (2026-11)
 */
export class PageFile {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #workspace: string;
  readonly #readDate: ReturnType<typeof timeReader>;
  readonly #people = new People();
  readonly #notes = new RowNotes();
  #conversation: string | undefined;
  /** Of the message before. */
  #author: string | undefined;
  #atMs: number | undefined;
  #end = '';
  #isCutOff = false;

  constructor(input: ExportInput, path: string, { workspace, zone }: ResultOptions) {
    this.#input = input;
    this.#path = path;
    this.#workspace = workspace;
    this.#readDate = timeReader('iso', zone);
  }

  async *read(): AsyncGenerator<readonly Entry[]> {
    const files = await localFiles(this.#input, this.#path.slice(0, this.#path.lastIndexOf('/') + 1));
    for await (const found of readHtmlElements(this.#chunks(), isWanted)) {
      const into: Entry[] = [];
      for (const one of found) {
        const begin = into.length;
        try {
          if (hasClass(one.element, 'page_header')) this.#begin(one, into);
          else await this.#addMessage(one, files, into);
        } catch (error) {
          const location = { path: this.#path, line: one.line };
          rejectRow(error, { into, begin, location, conversation: this.#conversation });
        }
      }
      yield into;
    }
    const last: Entry[] = [];
    if (!this.#isCutOff && !this.#end.includes('</html>')) last.push(this.#cutOff({ path: this.#path }));
    this.#notes.end(this.#path, last);
    yield last;
  }

  /** Keeps the end of the page in sight: one that breaks off between two messages has no other sign. */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#input.open(this.#path)) {
      this.#end = (this.#end + Buffer.from(chunk.subarray(-endBytes)).toString('latin1')).slice(-endBytes);
      yield chunk;
    }
  }

  #cutOff(location: Location): Entry {
    const reason = 'Cannot read the file from here on: the page ends before it is closed';
    this.#isCutOff = true;
    return rejectEntry('telegram-cut-off', reason, location, this.#conversation);
  }

  #begin({ element, line }: FoundElement, into: Entry[]): void {
    const name = wordsIn(firstOfClass(element, 'text'));
    if (this.#conversation !== undefined || name === '') return;
    this.#conversation = name;
    const location = { path: this.#path, line };
    into.push(recordEntry({ kind: 'conversation', id: name, type: 'private', name, members: [] }, location));
  }

  async #addMessage(
    { element, line, fault }: FoundElement,
    files: Awaited<ReturnType<typeof localFiles>>,
    into: Entry[],
  ): Promise<void> {
    const location: Location = { path: this.#path, line };
    const conversation = this.#conversation;
    if (fault === 'cut-off') {
      into.push(this.#cutOff(location));
      return;
    }
    if (conversation === undefined) {
      const reason = 'Expected the name of the chat at the top of the page, found none';
      into.push(rejectEntry('telegram-no-chat', reason, location));
      return;
    }
    const context = { workspace: this.#workspace, conversation, author: this.#author, atMs: this.#atMs };
    const read = readPageMessage(element, { ...context, readDate: this.#readDate });
    if ('dayMs' in read) {
      this.#atMs = Math.max(this.#atMs ?? 0, read.dayMs);
      return;
    }
    if ('code' in read) {
      into.push(rejectEntry(read.code, read.reason, location, conversation));
      return;
    }
    const { record, assumed, time } = read;
    if (fault)
      into.push(problemEntry('telegram-long-message', 'The message is too long: its end is left out', location));
    if (assumed) noteAssumption(this.#notes, { assumed, text: time, location }, into);
    this.#atMs = record.sentAtMs;
    if (record.systemEvent === undefined) this.#author = record.author;
    for (const name of read.people) this.#people.addNamed(name, name, location, into);
    if (read.files.length > 0) record.attachments = await Promise.all(read.files.map((file) => files.attachment(file)));
    into.push(recordEntry(record, location));
  }
}
