import type { ExportInput } from '../../io/input/export-input.ts';
import { countOf } from '../../lib/text/count.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { Described } from '../kit/described.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { localFiles, type LocalFiles } from '../kit/files/local-files.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { asObject, asString, wordFor } from '../kit/narrow.ts';
import type { PersonalMessage } from './format.ts';
import { type PersonalChat, type PersonalChats, readPersonalChats } from './personal-chats.ts';
import { personId } from './personal-ids.ts';
import { makePerson, readPersonal } from './personal-message.ts';

/** People of one conversation that are noted: the export lists them behind what is read one by one. */
const writersMax = 1000;

/** Files next to the messages, `media/<id>.<number>.<ending>`. */
export interface Media {
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly files: LocalFiles;
}

export async function findMedia(input: ExportInput): Promise<Media> {
  const paths = new Map<string, string[]>();
  for (const path of await input.paths()) {
    const id = /(?:^|\/)media\/([^/]{1,200}?)\.\d{1,4}\.\w{1,10}$/.exec(path)?.[1];
    if (id !== undefined) paths.set(id, [...(paths.get(id) ?? []), path]);
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
  const file = new PersonalFile(path, { workspace, media, ...(await readPersonalChats(input, path)) });
  const at = { layout: 'list', pattern: ['conversations', '*', 'MessageList'] } as const;
  yield* readJsonEntries(input, path, at, file);
}

class PersonalFile implements JsonFile {
  readonly #location: Location;
  readonly #workspace: string;
  readonly #described = new Described();
  readonly #chats: Map<string, PersonalChat>;
  readonly #notMigrated: PersonalChats['notMigrated'];
  readonly #media: Media;
  /** Rows that show again what is in a chat. */
  readonly #leftOut = new Map<string, number>();
  #around: unknown;
  #chat: Chat | undefined;
  #owner: string | undefined;

  constructor(path: string, given: PersonalChats & { readonly workspace: string; readonly media: Media }) {
    const { workspace, media, chats, notMigrated } = given;
    this.#media = media;
    this.#chats = new Map(chats);
    this.#notMigrated = notMigrated;
    this.#location = { path };
    this.#workspace = workspace;
  }

  add({ value, surroundings = [], location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    if (surroundings !== this.#around) this.#begin(surroundings, into);
    this.#around = surroundings;
    const view = this.#chat === undefined ? undefined : views[this.#chat.id];
    if (view !== undefined) {
      this.#leftOut.set(view, (this.#leftOut.get(view) ?? 0) + 1);
      return undefined;
    }
    const message = asObject<PersonalMessage>(value);
    if (message === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, this.#chat?.id));
      return undefined;
    }
    const read = readPersonal(message, { workspace: this.#workspace, conversation: this.#chat?.id });
    if (!('record' in read)) {
      into.push(invalidEntry(read.code, read.reason, location, this.#chat?.id));
      return undefined;
    }
    const { record, media } = read;
    this.#notePeople(message, record, location, into);
    into.push(recordEntry(record, location));
    const ids = new Set([...(record.attachments ?? []).flatMap(({ id }) => id ?? []), ...media]);
    const found = [...ids].filter((id) => this.#media.paths.has(id));
    return found.length === 0 ? undefined : this.#lookUp(found, record);
  }

  /** Replaces the text's data about a file with the file next to the messages, by its id. Any other files that the ids name come after. */
  async #lookUp(ids: readonly string[], record: NewMessage): Promise<void> {
    const named = record.attachments ?? [];
    const isOnlyNamed = record.text === named.map(({ name }) => name).join(', ');
    const files = named.filter(({ id }) => id === undefined || !ids.includes(id));
    for (const id of ids) {
      const name = named.find((file) => file.id === id)?.name;
      for (const path of this.#media.paths.get(id)!)
        files.push(await this.#media.files.attachment({ path, id, name: hasEnding(name) ? name : undefined }));
    }
    if (isOnlyNamed) record.text = '';
    record.attachments = files;
  }

  #begin(surroundings: readonly ReadonlyMap<string, unknown>[], into: Entry[]): void {
    this.#endChat(into);
    const [chat, export_] = surroundings;
    const owner = asString(export_?.get('userId'));
    this.#owner = owner === undefined ? undefined : personId(owner);
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
    const user = makePerson(author, name);
    this.#described.describe(user, location, into);
  }

  #endChat(into: Entry[]): void {
    const chat = this.#chat;
    if (chat === undefined) return;
    this.#chat = undefined;
    const known = this.#chats.get(chat.id);
    this.#chats.delete(chat.id);
    const begin = into.length;
    try {
      // Those who wrote and are not in the list have left.
      const isListed = known !== undefined && known.members.length > 0;
      this.#describe(chat, isListed ? new Set(known.members) : chat.writers, into);
    } catch (error) {
      // It comes to light at the first row of the next conversation, which is none of its business.
      leaveOutRow(error, { into, begin, location: this.#location });
    }
  }

  /** Chats of two are called by the id of the other one. */
  #describe({ id, name }: Pick<Chat, 'id' | 'name'>, people: ReadonlySet<string>, into: Entry[]): void {
    if (views[id] !== undefined) return;
    const owner = this.#owner;
    // Notes to oneself.
    if (id.startsWith('48:') && owner !== undefined) {
      into.push(recordEntry({ kind: 'conversation', id, type: 'direct', name: '', members: [owner] }, this.#location));
      return;
    }
    const isGroup = /^19:/.test(id);
    const other = personId(id);
    const isPair = !isGroup && owner !== undefined && owner !== other;
    const type = isPair ? 'direct' : 'group-direct';
    const members = isPair ? [owner, other] : [...people];
    // A person who never wrote gets the name of the chat.
    if (isPair && name !== undefined && this.#described.nameOf('user', other) === undefined) {
      const user = makePerson(other, name);
      this.#described.add(user);
      into.push(recordEntry(user, this.#location));
    }
    into.push(
      recordEntry({ kind: 'conversation', id, type, name: isPair ? '' : (name ?? ''), members }, this.#location),
    );
  }

  end(): Entry[] {
    const into: Entry[] = [];
    this.#endChat(into);
    // Chats without messages.
    for (const chat of this.#chats.values()) this.#describe(chat, new Set(chat.members), into);
    for (const [what, count] of this.#notMigrated) {
      const reason = `${countOf(count, 'conversation')} with ${what}`;
      into.push({ type: 'problem', code: 'teams-not-migrated', reason, location: this.#location, count });
    }
    for (const [view, count] of this.#leftOut) {
      const reason = `${countOf(count, 'row')} of ${view}: the chats have the same content`;
      into.push({ type: 'problem', code: 'teams-not-migrated', reason, location: this.#location, count });
    }
    return into;
  }
}

/** Views that Skype collects from all chats, stored as if each were a chat. */
const views: Readonly<Record<string, string>> = {
  '48:calllogs': 'the list of calls',
  '48:mentions': 'the list of mentions',
  '48:notifications': 'the list of notices',
  '48:annotations': 'the list of notices',
  '48:threads': 'the list of followed threads',
  '48:starred': 'the list of bookmarks',
};

const hasEnding = (name = ''): boolean => /\.\w{1,10}$/.test(name);
