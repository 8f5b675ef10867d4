import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import type { NamedFile, LocalFiles } from '../kit/files/local-files.ts';
import { asArray, asObject, asString, wordFor } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { isDeletedName, type MetaMessage, type MetaThread } from './format.ts';
import { asRepaired } from './mojibake.ts';
import { listFiles, type MessagePlace, readMessage, senderOf } from './message.ts';
import {
  readConversation,
  inspectThread,
  namesIn,
  numberOf,
  personId,
  type ThreadFacts,
  findThreadId,
} from './thread.ts';

export interface ThreadOptions {
  readonly source: string;
  readonly workspace: string;
  readonly files: LocalFiles;
  readonly paths: readonly string[];
}

/** Rows of a file: more than any has. */
const rowsMax = 10_000_000;

/**
 * The entries of one file of a thread. It stands for itself.
 *
 * Memory: the rows of a chunk, both ends of the file, and the names in it.
 */
export async function* readThread(
  input: ExportInput,
  path: string,
  { source, workspace, files, paths }: ThreadOptions,
): AsyncGenerator<readonly Entry[]> {
  const outline = await inspectThread(input, path);
  const conversation = findThreadId(path, outline.fields, paths);
  const file = new ThreadFile(path, outline, { source, workspace, conversation }, files);
  yield await file.begin();
  yield* readJsonEntries(input, path, { layout: 'list', pattern: ['messages'] }, file);
}

class ThreadFile implements JsonFile {
  readonly #path: string;
  readonly #look: ThreadFacts;
  readonly #place: MessagePlace;
  readonly #files: LocalFiles;
  /** Those who were described: as many as ever were in a thread. */
  readonly #people = new Set<string>();
  /** Ids of people by their names, unchanged from the file. */
  readonly #ids = new Map<unknown, string>();
  readonly #identity = new RowIdentity();
  #row: number;

  constructor(path: string, outline: ThreadFacts, place: Omit<MessagePlace, 'personOf'>, files: LocalFiles) {
    this.#path = path;
    this.#look = outline;
    this.#place = { ...place, personOf: (name) => this.#personOf(name) };
    this.#files = files;
    this.#row = (outline.isNewestFirst ? numberOf(path) : 0) * rowsMax;
  }

  /** The conversation, and who is in it. */
  async begin(): Promise<Entry[]> {
    const into: Entry[] = [];
    const { fields } = this.#look;
    const location = { path: this.#path };
    const record = readConversation(fields, this.#place.conversation, this.#path);
    const image = asRepaired(asObject<MetaThread['image']>(fields.image)?.uri);
    const icon = image === undefined ? undefined : await this.#fileAt({ path: image });
    // If nothing in the file is readable, there is no conversation to describe.
    if (fields.participants !== undefined || fields.title !== undefined)
      into.push(recordEntry(icon?.url === undefined ? record : { ...record, iconUrl: icon.url }, location));
    const names = namesIn(fields);
    for (const name of names) this.#addPerson(name, location, into);
    for (const name of new Set(names.filter((one, index) => names.indexOf(one) < index))) {
      const reason = `Several people here are called "${name}"`;
      into.push(problemEntry('meta-same-name', reason, location, [personId(name, this.#place.conversation)]));
    }
    return into;
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const row = asObject<MetaMessage>(value);
    const { conversation } = this.#place;
    if (!row) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, conversation));
      return undefined;
    }
    const record = readMessage(row, this.#place);
    if ('code' in record) {
      into.push(invalidEntry(record.code, record.reason, location, conversation));
      return undefined;
    }
    const id = this.#identity.idOf([conversation, record.author, String(record.sentAtMs)]);
    record.origin = { ...record.origin, id };
    record.sortKey = rowSortKey(0, this.#row, this.#look.isNewestFirst);
    if (!this.#people.has(record.author!)) this.#addPerson(asRepaired(senderOf(row)) ?? '', location, into);
    into.push(recordEntry(record, location));
    const files = listFiles(row);
    return files.length === 0 ? undefined : this.#lookUp(record, files);
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    into.push(invalidEntry(fault.code, fault.reason, location, this.#place.conversation));
  }

  end(): Entry[] {
    const into: Entry[] = [];
    const { magic_words: words, joinable_mode: mode } = this.#look.fields;
    const counts = new CountedProblems('meta-not-migrated');
    counts.add('meta-not-migrated', 'word effects', asArray(words).length);
    if (asString(asObject<MetaThread['joinable_mode']>(mode)?.link)) {
      counts.add('meta-not-migrated', 'addresses that invite into a group');
    }
    counts.end(this.#path, into);
    return into;
  }

  #personOf(name: unknown): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = personId(asRepaired(name) ?? '', this.#place.conversation);
    if (typeof name === 'string') this.#ids.set(name, id);
    return id;
  }

  #addPerson(name: string, location: Location, into: Entry[]): void {
    const id = personId(name, this.#place.conversation);
    if (this.#people.has(id)) return;
    this.#people.add(id);
    const isDeleted = isDeletedName(name);
    into.push(
      recordEntry({ kind: 'user', id, name: name || 'Facebook user', ...(isDeleted && { isDeleted }) }, location),
    );
  }

  async #lookUp(record: NewMessage, files: readonly NamedFile[]): Promise<void> {
    record.attachments = await Promise.all(files.map((file) => this.#fileAt(file)));
  }

  /** Finds a file. Paths begin at another folder than the download, and encrypted chats name files relative to their own location. */
  async #fileAt({ path: uri, kind }: NamedFile): Promise<Attachment> {
    if (/^https?:/i.test(uri)) return { name: uri.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file', url: uri, kind };
    const folder = this.#path.slice(0, this.#path.lastIndexOf('/') + 1);
    const own = folder.split('/').at(-2);
    const root = /^(?:.*\/)?(?=messages\/)/.exec(this.#path)?.[0];
    const fromMessages = uri.slice(Math.max(0, uri.search(/(?:^|\/)messages\//))).replace(/^\//, '');
    const candidates = [
      ...(root === undefined ? [] : [root + fromMessages]),
      ...(own !== undefined && uri.includes(`/${own}/`)
        ? [folder + uri.slice(uri.indexOf(`/${own}/`) + own.length + 2)]
        : []),
      folder + uri.replace(/^(?:\.\/)+/, ''),
      uri,
    ];
    const path = candidates.find((candidate) => this.#files.has(candidate)) ?? uri;
    return this.#files.attachment({ path, kind });
  }
}
