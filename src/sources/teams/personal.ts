import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { Described } from '../kit/described.ts';
import { recordEntry, rejectEntry } from '../kit/entries.ts';
import { readJsonRows } from '../kit/json-rows.ts';
import { localFiles } from '../kit/local-files.ts';
import { asObject, asString, kindOf } from '../kit/narrow.ts';
import type { PersonalMessage } from './format.ts';
import { personOf, readPersonal } from './personal-message.ts';

/** People of one conversation that are noted: the export lists them behind what is read one by one. */
const writersMax = 1000;

/** Files beside the messages, `media/<id>.<number>.<ending>`. */
export interface Media {
  readonly paths: ReadonlyMap<string, string>;
  readonly files: Awaited<ReturnType<typeof localFiles>>;
}

export async function mediaOf(input: ExportInput): Promise<Media> {
  const paths = new Map<string, string>();
  for (const path of await input.paths()) {
    const id = /(?:^|\/)media\/([^/]{1,200}?)\.\d{1,4}\.\w{1,10}$/.exec(path)?.[1];
    if (id !== undefined && !paths.has(id)) paths.set(id, path);
  }
  return { paths, files: await localFiles(input) };
}

interface Chat {
  readonly id: string;
  readonly name: string | undefined;
  readonly writers: Set<string>;
}

/** The entries of `messages.json` of a personal export: conversations one after another, each with its messages, newest first. */
export async function* readPersonalFile(
  input: ExportInput,
  path: string,
  { workspace, media }: { readonly workspace: string; readonly media: Media },
): AsyncGenerator<readonly Entry[]> {
  const file = new PersonalFile(path, workspace, media);
  const at = { layout: 'list', pattern: ['conversations', '*', 'MessageList'] } as const;
  try {
    for await (const rows of readJsonRows(input.open(path), path, at)) {
      const into: Entry[] = [];
      for (const row of rows) {
        const { location, fault } = row;
        if (fault) into.push(rejectEntry(fault.code, fault.reason, location));
        else {
          // Waiting for every row would cost as much as reading it.
          const lookUp = file.add(row.value, row.surroundings ?? [], location, into);
          if (lookUp) await lookUp;
        }
      }
      yield into;
    }
  } catch (error) {
    // What was learnt before a damaged place counts; whoever called says what is missing.
    yield file.end();
    throw error;
  }
  yield file.end();
}

class PersonalFile {
  readonly #location: Location;
  readonly #workspace: string;
  readonly #described = new Described();
  readonly #media: Media;
  #around: unknown;
  #chat: Chat | undefined;
  #owner: string | undefined;

  constructor(path: string, workspace: string, media: Media) {
    this.#media = media;
    this.#location = { path };
    this.#workspace = workspace;
  }

  add(
    value: unknown,
    surroundings: readonly ReadonlyMap<string, unknown>[],
    location: Location,
    into: Entry[],
  ): Promise<void> | undefined {
    if (surroundings !== this.#around) this.#begin(surroundings, into);
    this.#around = surroundings;
    const message = asObject<PersonalMessage>(value);
    if (message === undefined) {
      into.push(rejectEntry('not-an-object', `Expected a message, found ${kindOf(value)}`, location, this.#chat?.id));
      return undefined;
    }
    const read = readPersonal(message, { workspace: this.#workspace, conversation: this.#chat?.id });
    if (!('record' in read)) {
      into.push(rejectEntry(read.code, read.reason, location, this.#chat?.id));
      return undefined;
    }
    const { record, media } = read;
    this.#notePeople(message, record, location, into);
    into.push(recordEntry(record, location));
    const path = media === undefined ? undefined : this.#media.paths.get(media);
    return path === undefined ? undefined : this.#lookUp(path, record);
  }

  async #lookUp(path: string, record: NewMessage): Promise<void> {
    const [file] = record.attachments ?? [];
    if (file !== undefined && record.text === file.name) record.text = '';
    record.attachments = [await this.#media.files.attachment({ path, id: file?.id, name: file?.name })];
  }

  #begin(surroundings: readonly ReadonlyMap<string, unknown>[], into: Entry[]): void {
    this.#endChat(into);
    const [chat, export_] = surroundings;
    this.#owner = asString(export_?.get('userId'));
    const id = asString(chat?.get('id'));
    this.#chat = id === undefined ? undefined : { id, name: asString(chat?.get('displayName')), writers: new Set() };
  }

  #notePeople(
    { displayName }: { readonly displayName?: unknown },
    { author, call }: MessageRecord,
    location: Location,
    into: Entry[],
  ): void {
    const writers = this.#chat?.writers;
    for (const id of [author, ...(call?.participants ?? [])])
      if (id !== undefined && writers && writers.size < writersMax) writers.add(id);
    const name = asString(displayName);
    if (author === undefined || name === undefined) return;
    const user = personOf(author, name);
    if (this.#described.add(user) !== 'same') into.push(recordEntry(user, location));
  }

  /** Chats of two are called by the id of the other one. */
  #endChat(into: Entry[]): void {
    const chat = this.#chat;
    if (chat === undefined) return;
    const isGroup = /^19:/.test(chat.id);
    const isPair = !isGroup && this.#owner !== undefined && this.#owner !== chat.id;
    const members = isPair ? [this.#owner!, chat.id] : [...chat.writers];
    into.push(
      recordEntry(
        {
          kind: 'conversation',
          id: chat.id,
          type: isPair ? 'direct' : 'group-direct',
          name: isPair ? '' : (chat.name ?? ''),
          members,
        },
        this.#location,
      ),
    );
  }

  end(): Entry[] {
    const into: Entry[] = [];
    this.#endChat(into);
    this.#chat = undefined;
    return into;
  }
}
