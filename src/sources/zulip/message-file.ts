import type { ExportInput } from '../../io/input/export-input.ts';
import type { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { inChunks, wholeFile } from '../kit/files/file-bytes.ts';
import { problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import type { LocalFiles } from '../kit/files/local-files.ts';
import { asNumber, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { addUnreadRow } from '../kit/rows/rows-inside.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { makeGroup } from './conversations.ts';
import type { Directory } from './directory.ts';
import type { ZulipMessage, ZulipUserMessage } from './format.ts';
import { decoded } from '../../lib/text/decoded.ts';
import { readMessage, nameOfUpload, type NamedUpload, type RowPlace } from './message.ts';
import { isReaction, Reactions } from './reactions.ts';
import { exportReading } from './row-reading.ts';
import type { Topics } from './topics.ts';

/** Context that all files of an export share. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  readonly directory: Directory;
  readonly reactions: Reactions;
  /** By place: size, type and name, with tabs between. */
  readonly uploads: PackedMap;
  readonly files: LocalFiles;
  /** Where topics are threads. */
  readonly topics: Topics | undefined;
}

const inTables = { layout: 'list', pattern: ['*'] } as const;

/** Up to here a file is held while it is read: a server writes a thousand messages into each. */
const heldBytesMax = 8 * 1024 * 1024;

/** Yields the entries of a file of messages, which can be read on its own. Reactions come after the messages, if there are any. */
export async function* readMessages(path: string, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const { input } = context;
  const bytes = await wholeFile(input, path, heldBytesMax);
  const open = () => (bytes ? inChunks(bytes) : input.open(path));
  const file = new MessageFile(path, context);
  if (await says(open(), '"zerver_reaction"')) {
    const at = { layout: 'list', pattern: ['zerver_reaction'] } as const;
    for await (const rows of readJsonRows(open(), path, at)) for (const { value } of rows) file.reactions.add(value);
  }
  yield* readJsonEntries({ open }, path, inTables, file);
}

/** Returns whether a file contains these words. */
async function says(chunks: AsyncIterable<Uint8Array>, words: string): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (bytes.includes(words) || Buffer.concat([end, bytes.subarray(0, words.length)]).includes(words)) return true;
    end = Buffer.from(bytes.subarray(-words.length));
  }
  return false;
}

/** Those that a file of messages has. */
const tables: ReadonlySet<string> = new Set([
  ...['zerver_message', 'zerver_usermessage', 'zerver_reaction', 'zerver_userprofile_ids'],
]);

class MessageFile implements JsonFile {
  readonly reactions = new Reactions();
  readonly #path: string;
  readonly #context: ExportContext;
  readonly #notes = new RowNotes();
  readonly #counts = new CountedProblems('zulip-not-migrated');
  /** Conversations of two that were described; nothing else does. */
  readonly #directs = new Set<string>();
  readonly #place: RowPlace;
  #location: Location = { path: '' };
  #into: Entry[] = [];
  #hasBegun = false;
  #hasKnownTable = false;
  #hasOtherTable = false;

  constructor(path: string, context: ExportContext) {
    const { directory, workspace, reactions, topics } = context;
    this.#path = path;
    this.#context = context;
    this.#place = {
      workspace: directory.workspace ?? workspace,
      directory,
      topics,
      reading: exportReading(directory, [reactions, this.reactions]),
      note: ({ code, reason }) => this.#notes.add(code, reason, this.#location, this.#into),
    };
  }

  add(found: GoodRow, into: Entry[]): Promise<void> | undefined {
    const { value, parentKey, location } = found;
    if (parentKey !== undefined && tables.has(parentKey)) this.#hasKnownTable = true;
    else this.#hasOtherTable = true;
    if (parentKey === 'zerver_message') return this.#addMessage(value, location, into);
    if (parentKey === 'zerver_usermessage') this.#addUserMessage(value);
    else if (parentKey === 'zerver_reaction') {
      if (!isReaction(value))
        this.#notes.add('zulip-bad-row', 'A reaction lacks its message, its emoji or who gave it', location, into);
    } else if (parentKey !== 'zerver_userprofile_ids' && !addUnreadRow(found, into))
      this.#counts.add('zulip-not-migrated', `rows of ${tableName(parentKey)}`);
    return undefined;
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    const isMessage = location.pointer === undefined || /^\/zerver_message(?:\/|$)/.test(location.pointer);
    if (fault.scope === 'no-row' && !isMessage) return;
    const entry = isMessage || fault.scope === 'rest' ? invalidEntry : problemEntry;
    into.push(entry(fault.code, fault.reason, location));
  }

  #addMessage(value: unknown, location: Location, into: Entry[]): Promise<void> | undefined {
    const row = asObject<ZulipMessage>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return undefined;
    }
    this.#location = location;
    this.#into = into;
    this.#hasBegun = true;
    const read = readMessage(row, this.#place);
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location));
      return undefined;
    }
    const { record, uploads } = read;
    if (row.sending_client !== undefined && row.sending_client !== null)
      this.#counts.add('zulip-not-migrated', 'programs that messages were sent with');
    this.#describeDirect(record, location, into);
    into.push(recordEntry(record, location));
    return uploads.length > 0 ? this.#attach(record, uploads) : undefined;
  }

  #addUserMessage(value: unknown): void {
    const row: Untrusted<ZulipUserMessage> = asObject<ZulipUserMessage>(value) ?? {};
    const flags = asNumber(row.flags_mask ?? row.flags);
    if (flags & 1) this.#counts.add('zulip-not-migrated', 'read marks');
    if (flags & 2) this.#counts.add('zulip-not-migrated', 'stars');
  }

  async #attach(record: NewMessage, uploads: readonly NamedUpload[]): Promise<void> {
    record.attachments = await Promise.all(uploads.map((upload) => this.#attachment(upload)));
  }

  async #attachment({ path, label }: NamedUpload): Promise<Attachment> {
    const place = decoded(path);
    const { uploads, files } = this.#context;
    const [size = '', type = '', said = ''] = uploads.get(place)?.split('\t', 3) ?? [];
    const name = said || label || nameOfUpload(path);
    const found = await files.attachment({ path: `uploads/${place}`, name, mimeType: type || undefined });
    return found.sizeBytes === undefined && size !== '' ? { ...found, sizeBytes: Number(size) } : found;
  }

  #describeDirect({ origin }: NewMessage, location: Location, into: Entry[]): void {
    const { conversation } = origin;
    if (!conversation.startsWith('dm-') || this.#directs.has(conversation)) return;
    if (this.#context.directory.describes(conversation)) return;
    this.#directs.add(conversation);
    into.push(recordEntry(makeGroup(conversation, [...new Set(conversation.split('-').slice(1))]), location));
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    const location = { path: this.#path };
    if (this.#hasOtherTable && !this.#hasKnownTable)
      into.push(invalidEntry('json-no-list', 'Expected "zerver_message", found lists of other names', location));
    if (this.#hasBegun && !this.#path.endsWith('.json'))
      into.push(problemEntry('zulip-unfinished', 'The export broke off while it wrote this file', location));
    for (const message of this.reactions.left())
      this.#notes.add(
        'zulip-reaction-elsewhere',
        `A reaction to message ${message} is in a file without that message`,
        location,
        into,
      );
    this.#counts.end(this.#path, into);
    this.#notes.end(this.#path, into);
    return into;
  }
}

/** Names of tables come from the file: nothing but letters of them is shown. */
export const tableName = (key: string | undefined): string =>
  asString(key)?.slice(0, 60).replace(/\W/g, '_') ?? 'no table';
