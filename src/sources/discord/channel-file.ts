import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment, ConversationRecord, MessageRecord } from '../../model/records.ts';
import { problemEntry, recordEntry, rejectEntry } from '../kit/entries.ts';
import { readJsonRows } from '../kit/json-rows.ts';
import type { localFiles } from '../kit/local-files.ts';
import { asObject, kindOf } from '../kit/narrow.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { type Channel, channelOf, headOf } from './channel.ts';
import type { DiscordMessage } from './format.ts';
import { readMessage } from './message.ts';
import type { DiscordOptions } from './options.ts';
import { People } from './people.ts';
import { Row } from './row.ts';

/** What all files of an export share. */
export interface ExportContext extends DiscordOptions {
  readonly workspace: string;
  readonly paths: readonly string[];
  /** Files beside the one with the messages. */
  filesBeside(path: string): ReturnType<typeof localFiles>;
}

/** The entries of a file with the messages of a channel, which stands for itself. */
export async function* readChannelFile(
  input: ExportInput,
  path: string,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const channel = channelOf(await headOf(input, path), context.threads, context.paths);
  if (channel === undefined) {
    const reason = 'Expected "guild" and "channel" before "messages", found neither a channel nor its id';
    return yield [rejectEntry('discord-no-channel', reason, { path })];
  }
  const file = new ChannelFile(path, channel, context);
  yield file.begin();
  for await (const rows of readJsonRows(input.open(path), path, { layout: 'list', pattern: ['messages'] })) {
    const into: Entry[] = [];
    for (const { location, value, fault } of rows) {
      if (fault) {
        into.push(rejectEntry(fault.code, fault.reason, location, channel.conversation.id));
        continue;
      }
      // Waiting for every row would cost as much as reading it.
      const lookUp = file.add(value, location, into);
      if (lookUp) await lookUp;
    }
    yield into;
  }
  yield file.end();
}

class ChannelFile {
  readonly #path: string;
  readonly #channel: Channel;
  readonly #context: ExportContext;
  readonly #people = new People();
  readonly #notes = new RowNotes();
  readonly #writers = new DirectMembers();

  constructor(path: string, channel: Channel, context: ExportContext) {
    this.#path = path;
    this.#channel = channel;
    this.#context = context;
  }

  /** The conversation; of direct ones once it is known who writes in them. */
  begin(): Entry[] {
    const { conversation, isDescribedElsewhere } = this.#channel;
    return isDescribedElsewhere || isDirect(conversation) ? [] : [recordEntry(conversation, { path: this.#path })];
  }

  /** @returns what has to be waited for: files beside the export are looked up. */
  add(value: unknown, location: Location, into: Entry[]): Promise<void> | undefined {
    const { conversation } = this.#channel;
    const message = asObject<DiscordMessage>(value);
    if (message === undefined) {
      into.push(rejectEntry('not-an-object', `Expected a message, found ${kindOf(value)}`, location, conversation.id));
      return undefined;
    }
    const row = new Row(this.#channel, this.#people);
    const read = readMessage(message, row, {
      workspace: this.#context.workspace,
      channel: this.#channel,
      see: (user) => this.#people.see(user, location, into),
    });
    if (!('record' in read)) {
      into.push(rejectEntry(read.code, read.reason, location, conversation.id));
      return undefined;
    }
    const { record, problem } = read;
    if (isDirect(conversation)) this.#writers.add(record);
    into.push(recordEntry(record, location));
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

  end(): Entry[] {
    const into: Entry[] = [];
    const { conversation } = this.#channel;
    if (isDirect(conversation)) this.#endDirect(conversation, into);
    this.#notes.end(this.#path, into);
    return into;
  }

  /** The last description counts: a later part of a conversation, in which one person wrote, must not say less than the first. */
  #endDirect(conversation: ConversationRecord, into: Entry[]): void {
    const location = { path: this.#path };
    const members = this.#writers.members(conversation.type, this.#context.account);
    if (members.length === 0 && isLaterPart.test(this.#path)) return;
    into.push(recordEntry({ ...conversation, members }, location));
    if (members.length > 0 || conversation.type !== 'direct') return;
    const reason =
      'One person wrote in this conversation of two, and nothing says who you are: set "account" in the mapping';
    into.push(problemEntry('no-members', reason, location));
  }
}

const isLaterPart = / \[part (?!1\])\d{1,9}\]\.[a-z]{1,5}$/;

const isDirect = ({ type }: ConversationRecord): boolean => type === 'direct' || type === 'group-direct';

/** Who is in a direct conversation, of which an export says only who does something in it. Ten people at most. */
class DirectMembers {
  readonly #ids = new Set<string>();

  add({ author, reactions = [], call }: MessageRecord): void {
    if (this.#ids.size > 20) return;
    if (author !== undefined) this.#ids.add(author);
    for (const { users } of reactions) for (const id of users) this.#ids.add(id);
    for (const id of call?.participants ?? []) this.#ids.add(id);
  }

  /** Of a conversation of two both, or nobody. */
  members(type: ConversationRecord['type'], account: string | undefined): string[] {
    const ids = new Set(this.#ids);
    if (account !== undefined && ids.size > 0) ids.add(account);
    if (type === 'direct' && ids.size !== 2) return [];
    return [...ids];
  }
}
