import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { partialEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { LocalFiles } from '../kit/files/local-files.ts';
import { asCount, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { type Channel, readChannel, readHead, parseInstant } from './channel.ts';
import { ChannelDescription } from './channel-description.ts';
import type { DiscordExport, DiscordMessage, DiscordReference } from './format.ts';
import { readMessage } from './message.ts';
import type { DiscordOptions } from './options.ts';
import { People } from './people.ts';
import { Row } from './row.ts';

/** State shared by all files of an export. */
export interface ExportContext extends DiscordOptions {
  readonly workspace: string;
  readonly paths: readonly string[];
  /** Files next to the one with the messages. */
  filesBeside(path: string): Promise<LocalFiles>;
}

/** The entries of a file with the messages of a channel, which stands for itself. */
export async function* readChannelFile(
  input: ExportInput,
  path: string,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const head = await readHead(input, path);
  const channel = readChannel(head, context.threads, context.paths);
  if (channel === undefined) {
    const reason = 'Expected "guild" and "channel" before "messages", found neither a channel nor its id';
    return yield [invalidEntry('discord-no-channel', reason, { path })];
  }
  const file = new ChannelFile({ path, channel, context, head, exportedAtMs: parseInstant(head?.exportedAt) });
  yield file.begin();
  yield* readJsonEntries(file.behind.watch(input), path, { layout: 'list', pattern: ['messages'] }, file);
}

interface FileFacts {
  readonly path: string;
  readonly channel: Channel;
  readonly context: ExportContext;
  readonly head: Untrusted<DiscordExport> | undefined;
  readonly exportedAtMs: number | undefined;
}

class ChannelFile implements JsonFile {
  readonly #path: string;
  readonly #channel: Channel;
  readonly #context: ExportContext;
  readonly #exportedAtMs: number | undefined;
  readonly #people = new People();
  readonly #notes = new RowNotes();
  readonly behind = new FieldsBehind();
  readonly #range: Untrusted<DiscordExport['dateRange']>;
  #rowCount = 0;
  readonly #description: ChannelDescription;

  constructor({ path, channel, context, head, exportedAtMs }: FileFacts) {
    this.#range = asObject<DiscordExport['dateRange']>(head?.dateRange) ?? {};
    this.#path = path;
    this.#channel = channel;
    this.#context = context;
    this.#exportedAtMs = exportedAtMs;
    this.#description = new ChannelDescription(path, channel);
  }

  begin(): Entry[] {
    return this.#description.begin();
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    this.#rowCount += 1;
    into.push(invalidEntry(fault.code, fault.reason, location, this.#channel.conversation.id));
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const { conversation } = this.#channel;
    this.#rowCount += 1;
    const message = asObject<DiscordMessage>(value);
    if (message === undefined) {
      into.push(
        invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, conversation.id),
      );
      return undefined;
    }
    const row = new Row(this.#channel, this.#people);
    const read = readMessage(message, row, {
      workspace: this.#context.workspace,
      channel: this.#channel,
      exportedAtMs: this.#exportedAtMs,
      see: (user) => this.#people.see(user, location, into),
    });
    if (!('record' in read)) {
      into.push(invalidEntry(read.code, read.reason, location, conversation.id));
      return undefined;
    }
    const { record, problem } = read;
    this.#description.note(record);
    into.push(recordEntry(record, location));
    this.#notePartialThread(message, record.text, location, into);
    if (problem) this.#notes.add(problem.code, problem.reason, location, into);
    if (row.hasLocalFiles) return this.#lookUp(row, record);
    if (row.files.length > 0) record.attachments = row.files as Attachment[];
    return undefined;
  }

  async #lookUp({ files }: Row, record: NewMessage): Promise<void> {
    const beside = await this.#context.filesBeside(this.#path);
    record.attachments = await Promise.all(
      files.map((file) => ('local' in file ? beside.attachment(file.local) : file)),
    );
  }

  /** A thread that begins here has a file of its own, called by its id. */
  #notePartialThread({ type, reference }: Untrusted<DiscordMessage>, text: string, location: Location, into: Entry[]) {
    const thread = type === 'ThreadCreated' ? asId(asObject<DiscordReference>(reference)?.channelId) : undefined;
    if (thread === undefined || this.#context.paths.some((path) => path.includes(thread))) return;
    into.push(partialEntry(`No file of the thread ${thread} is there: "${text.slice(0, 80)}"`, location));
  }

  /** Reports that the file is partial, if the exporter says so in the file. */
  #notePartial(into: Entry[]): void {
    const location = { path: this.#path };
    const count = asCount(this.behind.get('messageCount')) ?? 0;
    const missing = count - this.#rowCount;
    if (missing > 0)
      into.push(partialEntry(`"messageCount" is ${count}, and the file has ${this.#rowCount}`, location, missing));
    const [after, before] = [asString(this.#range.after), asString(this.#range.before)];
    if (after === undefined && before === undefined) return;
    const range = [after && `after ${after}`, before && `before ${before}`].filter(Boolean).join(' and ');
    into.push(partialEntry(`"dateRange" is ${range.slice(0, 120)}`, location));
  }

  end(): Entry[] {
    const into = this.#description.end(this.#context.account);
    this.#notePartial(into);
    this.#notes.end(this.#path, into);
    return into;
  }
}
