import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { messageEntry, partialEntry, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { type FoundElement, hasClass, readHtmlElements } from '../kit/text/html-elements.ts';
import { localFiles, type LocalFiles } from '../kit/files/local-files.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { noteAssumption, timeReader } from '../kit/time/time-reading.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import type { NamedFile } from '../kit/files/local-files.ts';
import { People } from './chat.ts';
import { whyMissing } from './message.ts';
import { isPart, nameInHead, type PageChat } from './page-chats.ts';
import { readPageMessage } from './page-message.ts';
import type { ResultOptions } from './result-file.ts';

/** The end of a page, which closes it; the address of the next page comes before. */
const endBytes = 1024;
const nextPage = /"pagination block_link" href="(messages\d{1,9}\.html)"/;

/**
 * One page of a chat: `messages.html`, `messages2.html` and so on. It can be read on its own.
 *
 * <div class="message default clearfix" id="message12"> … <div class="pull_right date details" title="02.03.2026
 * 10:15:00 UTC+01:00"> … <div class="from_name">Ines</div> <div class="text">Low water</div>
 *
 * A page has no ids except those of messages: names identify the chat and people. An author who also wrote the previous
 * message (`joined`) is not named again. Lines of the program have no time: they get the time of the previous line.
 * https://github.com/telegramdesktop/tdesktop/blob/dev/Telegram/SourceFiles/export/output/export_output_html.cpp
 * (2026-11)
 */
export class PageFile {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #workspace: string;
  readonly #readDate: ReturnType<typeof timeReader>;
  readonly #people = new People();
  readonly #notes = new RowNotes();
  readonly #chat: PageChat | undefined;
  #conversation: string | undefined;
  /** State of the previous message. */
  #author: string | undefined;
  #atMs: number | undefined;
  #forwardedFrom: string | undefined;
  #end = '';
  #isCutOff = false;

  /** @param chat What the pages of this folder are of. */
  constructor(input: ExportInput, path: string, { workspace, zone }: ResultOptions, chat: PageChat | undefined) {
    this.#chat = chat;
    this.#input = input;
    this.#path = path;
    this.#workspace = workspace;
    this.#readDate = timeReader('iso', zone);
  }

  async *read(): AsyncGenerator<readonly Entry[]> {
    const files = await localFiles(this.#input, this.#folder);
    for await (const found of readHtmlElements(this.#chunks(), isPart)) {
      const into: Entry[] = [];
      for (const one of found) {
        const begin = into.length;
        try {
          if (hasClass(one.element, 'page_header')) this.#begin(one, into);
          else await this.#addMessage(one, files, into);
        } catch (error) {
          const location = { path: this.#path, line: one.line };
          invalidRow(error, { into, begin, location, conversation: this.#conversation });
        }
      }
      yield into;
    }
    const last: Entry[] = [];
    if (!this.#isCutOff && !this.#end.includes('</html>')) last.push(this.#cutOff({ path: this.#path }));
    const next = nextPage.exec(this.#end)?.[1];
    if (next !== undefined && !(await this.#input.paths()).includes(this.#folder + next))
      last.push(partialEntry(`The page continues in "${next}", which is missing`, { path: this.#path }));
    this.#notes.end(this.#path, last);
    yield last;
  }

  get #folder(): string {
    return this.#path.slice(0, this.#path.lastIndexOf('/') + 1);
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
    return invalidEntry('telegram-cut-off', reason, location, this.#conversation);
  }

  #begin({ element, line }: FoundElement, into: Entry[]): void {
    const name = nameInHead(element);
    if (this.#conversation !== undefined || name === '') return;
    const id = this.#chat?.id ?? name;
    this.#conversation = id;
    const location = { path: this.#path, line };
    into.push(recordEntry({ kind: 'conversation', id, type: 'private', name, members: [] }, location));
  }

  async #addMessage({ element, line, fault }: FoundElement, files: LocalFiles, into: Entry[]): Promise<void> {
    const location: Location = { path: this.#path, line };
    const conversation = this.#conversation;
    if (fault === 'cut-off') {
      into.push(this.#cutOff(location));
      return;
    }
    if (conversation === undefined) {
      const reason = 'Expected the name of the chat at the top of the page, found none';
      into.push(invalidEntry('telegram-no-chat', reason, location));
      return;
    }
    const chat = { workspace: this.#workspace, conversation, readDate: this.#readDate };
    const before = { author: this.#author, atMs: this.#atMs, forwardedFrom: this.#forwardedFrom };
    const read = readPageMessage(element, { ...chat, ...before });
    if ('dayMs' in read) {
      this.#atMs = Math.max(this.#atMs ?? 0, read.dayMs);
      return;
    }
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, conversation));
      return;
    }
    const { record, assumed, time } = read;
    if (fault)
      into.push(problemEntry('telegram-long-message', 'The message is too long: its end is left out', location));
    if (assumed) noteAssumption(this.#notes, { assumed, text: time, location }, into);
    this.#atMs = record.sentAtMs;
    if (record.systemEvent === undefined) {
      this.#author = record.author;
      this.#forwardedFrom = read.forwardedFrom;
    }
    for (const name of read.people) this.#people.addNamed(this.#idOf(name), name, location, into);
    this.#setIds(record);
    if (read.files.length > 0) record.attachments = await Promise.all(read.files.map((file) => attached(file, files)));
    into.push(messageEntry(record, location, assumed));
  }

  /** People are called by their names, except whom this chat is called after, where other chats are called the same. */
  #idOf(name: string): string {
    const { name: chatName, namesake } = this.#chat ?? {};
    return namesake !== undefined && name === chatName ? namesake : name;
  }

  #setIds(record: NewMessage): void {
    if (record.author !== undefined) record.author = this.#idOf(record.author);
    for (const reaction of record.reactions ?? []) reaction.users = reaction.users.map((name) => this.#idOf(name));
  }
}

/** A file that was not exported has a sentence for its path. */
async function attached(file: NamedFile, files: LocalFiles): Promise<Attachment> {
  const found = await files.attachment(file);
  return file.path.startsWith('(') ? { ...found, unavailable: whyMissing(file.path) } : found;
}
