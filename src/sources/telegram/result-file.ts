import type { ExportInput } from '../../io/input/export-input.ts';
import { parseJsonHead } from '../../io/json/json-head.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { messageEntry, problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { headBytes, decideByOutline } from '../kit/rows/whole-outline.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { asObject, asString, describe, wordFor } from '../kit/narrow.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { noteAssumption, timeReader } from '../kit/time/time-reading.ts';
import { type ChatFields, findChatId, readConversation, isDirect, findOther, People } from './chat.ts';
import { personId, repairJson, type TelegramMessage, type TelegramPerson } from './format.ts';
import { readAttachments, type MessageContext, readMessage, whyMissing } from './message.ts';
import { Topics } from './topics.ts';

export interface ResultOptions {
  readonly workspace: string;
  readonly zone: string | undefined;
  /** Owner of the export, if the user names one. */
  readonly self: string | undefined;
}

const list = (...pattern: string[]): JsonRowsAt => ({ layout: 'list', pattern });
const oneChat = list('messages');
/** `chats` and `left_chats`; nothing else of an account has lists of messages. */
const allChats = list('*', 'list', '*', 'messages');
const contacts = list('contacts', 'list');

const jsonOptions = { repair: repairJson };
/** Parts of an account that was exported without its chats. */
const accountParts = [
  ...['about', 'contacts', 'frequent_contacts', 'left_chats', 'sessions', 'web_sessions', 'other_data', 'stories'],
  ...['profile_pictures', 'ip_addresses'],
];
/** Limit for finding the address book of an account: it comes before the chats, after little else. */
const contactsBytesMax = 64 * 2 ** 20;

/**
 * The entries of one `result.json`, of a chat or of an account. It stands for itself.
 *
 * Memory: the rows of a chunk, the people whom the file names and the topics of a forum.
 */
export async function* readResult(
  input: ExportInput,
  path: string,
  options: ResultOptions,
): AsyncGenerator<readonly Entry[]> {
  const people = new People();
  const head = await headOrNothing(input, path, headBytes);
  const { personal_information: owner } = asObject<Top>(parseJsonHead(Buffer.from(head))?.value) ?? {};
  // A look that minds no forgotten comma.
  const isAccount = await decideByOutline(input, path, headBytes, ({ outline, isWhole }) => {
    const keys = outline.get('');
    if (keys?.has('messages')) return false;
    if (keys?.has('chats') || keys?.has('personal_information')) return true;
    // Something else is no account without chats: then the list of messages is missing.
    return isWhole ? accountParts.some((part) => keys?.has(part)) : undefined;
  });
  const into: Entry[] = [];
  if (owner !== undefined) addPerson(owner, { path, pointer: '/personal_information' }, people, into);
  yield into;
  if (isAccount) yield* readAddressBook(input, path, people);
  const self = options.self ?? personId(asObject<TelegramPerson>(owner)?.user_id);
  const files = await localFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
  const file: MessageContext['file'] = async (named) => {
    const found = await files.attachment(named);
    return named.path.startsWith('(') ? { ...found, unavailable: whyMissing(named.path) } : found;
  };
  const at = isAccount ? allChats : oneChat;
  yield* readJsonEntries(
    input,
    path,
    at,
    new ResultFile(input, path, { ...options, self, isAccount: isAccount === true, file }, people),
    {
      ...jsonOptions,
      tellsEmptyLists: true,
    },
  );
}

type Top = { personal_information: unknown };

/** People of the address book whom the program gives an id. */
async function* readAddressBook(input: ExportInput, path: string, people: People): AsyncGenerator<readonly Entry[]> {
  for await (const rows of readJsonRows(readBeginning(input, path), path, contacts, jsonOptions)) {
    const into: Entry[] = [];
    for (const { value, location } of rows) {
      const begin = into.length;
      try {
        addPerson(value, location, people, into);
      } catch (error) {
        leaveOutRow(error, { into, begin, location });
      }
    }
    yield into;
  }
}

async function* readBeginning(input: ExportInput, path: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of input.open(path)) {
    yield chunk;
    bytes += chunk.length;
    if (bytes >= contactsBytesMax) return;
  }
}

function addPerson(value: unknown, location: Location, people: People, into: Entry[]): void {
  const person = asObject<TelegramPerson>(value) ?? {};
  const id = personId(person.user_id);
  const names = [person.first_name, person.last_name].map(asString).filter(Boolean).join(' ');
  if (id === undefined || id === 'user0' || names === '') return;
  const handle = asString(person.username)?.replace(/^@/, '');
  people.add({ kind: 'user', id, name: names, ...(handle !== undefined && { handle }) }, location, into);
}

/** A chat while its messages are read. */
interface OpenChat {
  readonly id: string;
  readonly topics: Topics;
  readonly context: MessageContext;
}

interface FileContext extends ResultOptions, Pick<MessageContext, 'file'> {
  readonly isAccount: boolean;
}

class ResultFile implements JsonFile {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #options: FileContext;
  readonly #people: People;
  readonly #notes = new RowNotes();
  readonly #readDate: MessageContext['readDate'];
  #fields: readonly ChatFields[] | undefined;
  #chat: OpenChat | undefined;

  constructor(input: ExportInput, path: string, options: FileContext, people: People) {
    this.#input = input;
    this.#path = path;
    this.#options = options;
    this.#people = people;
    this.#readDate = timeReader('iso', options.zone);
  }

  add(row: GoodRow, into: Entry[]): Promise<void> | undefined {
    return row.surroundings === this.#fields ? this.#addRow(row, into) : this.#addFirst(row, into);
  }

  async #addFirst(row: GoodRow, into: Entry[]): Promise<void> {
    await this.#begin(row, into);
    // A chat without messages is still a chat.
    if (!row.isEmptyList) await this.#addRow(row, into);
  }

  end(): readonly Entry[] {
    return this.#notes.ended(this.#path);
  }

  /** Reports an invalid row. In an account, a text in place of a part is ignored. */
  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (this.#options.isAccount && fault.scope === 'no-row' && location.pointer?.lastIndexOf('/') === 0) return;
    into.push(invalidEntry(fault.code, fault.reason, location, this.#chat?.id));
  }

  /** Begins a chat, at its first message or at its empty list. The fields before it describe the chat. */
  async #begin({ surroundings, location }: GoodRow, into: Entry[]): Promise<void> {
    this.#fields = surroundings;
    // Whatever is thrown below: no message of this chat may get into the one before.
    this.#chat = undefined;
    const chat = surroundings?.[0] ?? new Map<string, unknown>();
    const id = findChatId(chat);
    if (id === undefined) return;
    const self = this.#options.self ?? (isDirect(chat) ? await this.#secondAuthor(id) : undefined);
    const place = { path: location.path, pointer: location.pointer!.replace(/\/messages(?:\/\d+)?$/, '') };
    const conversation = readConversation(chat, id, self);
    into.push(recordEntry(conversation, place));
    if (isDirect(chat) && conversation.type !== 'direct') into.push(noMembers(place));
    const other = findOther(chat, id);
    if (other) this.#people.add(other, place, into);
    const { workspace, file } = this.#options;
    const context = { workspace, conversation: id, isDirect: isDirect(chat), readDate: this.#readDate, file };
    this.#chat = { id, topics: new Topics(), context };
  }

  /** Returns the second author in a chat of two: the one whose name the chat does not have. Reads ahead, in the file of one chat. */
  async #secondAuthor(other: string): Promise<string | undefined> {
    const rows = readJsonRows(this.#input.open(this.#path), this.#path, oneChat, jsonOptions);
    for await (const found of rows) {
      for (const { value } of found) {
        const { from_id: from, actor_id: actor } = asObject<TelegramMessage>(value) ?? {};
        const author = personId(from ?? actor);
        if (author !== undefined && author !== other) return author;
      }
    }
    return undefined;
  }

  #addRow({ value, location, isRepaired }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const row = asObject<TelegramMessage>(value);
    const chat = this.#chat;
    if (!row) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, chat?.id));
      return undefined;
    }
    if (!chat) {
      const found = describe(this.#fields?.[0]?.get('id'));
      into.push(invalidEntry('telegram-no-chat', `Expected a number as "id" of the chat, found ${found}`, location));
      return undefined;
    }
    const read = readMessage(row, chat.context);
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, chat.id));
      return undefined;
    }
    const { record, assumed, files } = read;
    if (isRepaired) this.#notes.add('telegram-repaired', repairedReason, location, into);
    if (assumed) noteAssumption(this.#notes, { assumed, text: String(row.date), location }, into);
    if (record.author !== undefined) this.#people.addNamed(record.author, row.from ?? row.actor, location, into);
    chat.topics.place(record, row);
    into.push(messageEntry(record, location, assumed));
    return files.length === 0 ? undefined : this.#lookUp(record, readAttachments(files, chat.context, row));
  }

  async #lookUp(record: NewMessage, files: Promise<Attachment[]>): Promise<void> {
    record.attachments = await files;
  }
}

const repairedReason =
  'The row is no JSON, as some versions of Telegram Desktop write it, and was read as it was meant';

const noMembers = (location: Location): Entry =>
  problemEntry(
    'no-members',
    'The chat is named after the other person, and no other person wrote in it: set "self" in the mapping to your own id, such as user123',
    location,
  );
