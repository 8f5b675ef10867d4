import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import type { LocalFiles } from '../kit/files/local-files.ts';
import { asArray, asObject, wordFor } from '../kit/narrow.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { Answers } from './answers.ts';
import { type Directory, peopleOfDirect } from './directory.ts';
import { idOf, type RocketMessage, type RocketPerson } from './format.ts';
import type { Layout } from './layout.ts';
import { readMessage, type RowPlace } from './message.ts';
import { People } from './people.ts';

/** State shared by all files of an export. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  readonly directory: Directory;
  readonly files: LocalFiles;
  readonly answers: Answers;
}

/** The entries of a file of messages, which stands for itself. */
export async function* readMessages(
  path: string,
  { at, isNewestFirst }: Layout,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const file = new MessageFile(path, isNewestFirst, context);
  // Without a list of people, the usernames of reactions can only be resolved by other messages, before or after.
  if (!context.directory.hasPeople) {
    for await (const rows of readJsonRows(context.input.open(path), path, at))
      for (const { value } of rows) file.learn(value);
  }
  yield* readJsonEntries(file.behind.watch(context.input), path, at, file);
}

class MessageFile implements JsonFile {
  readonly people: People;
  readonly behind = new FieldsBehind();
  readonly #path: string;
  readonly #isNewestFirst: boolean;
  readonly #context: ExportContext;
  readonly #notes = new RowNotes();
  readonly #counts = new CountedProblems('rocketchat-earlier-version', 'rocketchat-not-migrated');
  /** Rooms of two that were described; nothing else does. */
  readonly #directs = new Set<string>();
  /** State of the row: constant for the file, except for the current position. */
  readonly #place: RowPlace & { sortKey: string };
  #location: Location = { path: '' };
  #into: Entry[] = [];
  #row = 0;

  constructor(path: string, isNewestFirst: boolean, context: ExportContext) {
    this.people = new People(context.directory);
    this.#path = path;
    this.#isNewestFirst = isNewestFirst;
    this.#context = context;
    this.#place = {
      workspace: context.workspace,
      sortKey: '',
      see: (person, isBot) => this.people.see(person, this.#location, this.#into, isBot),
      nameOf: (id) => this.people.nameOf(id),
      idOfUsername: (username) => this.people.idOfUsername(username),
      roomName: context.directory.roomName,
      isDirect: context.directory.isDirect,
      note: ({ code, reason }) => this.#notes.add(code, reason, this.#location, this.#into),
    };
  }

  /** Ignores errors: a row that cannot be understood becomes an invalid row when it is read. */
  learn(value: unknown): void {
    try {
      this.people.learn(value);
    } catch (error) {
      unforeseen(error);
    }
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const row = asObject<RocketMessage>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return undefined;
    }
    this.#context.directory.lastMessages.see(idOf(row._id));
    if (row._hidden === true && idOf(row.parent) !== undefined) {
      this.#counts.add('rocketchat-earlier-version', 'earlier versions of edited messages');
      return undefined;
    }
    this.#location = location;
    this.#into = into;
    this.#place.sortKey = rowSortKey(0, this.#row, this.#isNewestFirst);
    const read = readMessage(row, this.#place);
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, idOf(row.rid)));
      return undefined;
    }
    this.#describeDirect(read.origin.conversation, row.u, location, into);
    into.push(recordEntry(read, location));
    if (row.starred) this.#counts.add('rocketchat-not-migrated', 'stars', asArray(row.starred).length);
    return read.attachments?.some(({ url }) => this.#isHere(url)) ? this.#lookUp(read, read.attachments) : undefined;
  }

  readonly #isHere = (url: string | undefined) => url !== undefined && this.#context.files.has(decoded(url));

  async #lookUp(record: NewMessage, files: readonly Attachment[]): Promise<void> {
    const { attachment } = this.#context.files;
    record.attachments = await Promise.all(
      files.map(({ id, name, url, mimeType, kind, ...more }) =>
        this.#isHere(url)
          ? attachment({ path: decoded(url!), id, name, mimeType, kind })
          : { id, name, url, mimeType, kind, ...more },
      ),
    );
  }

  #describeDirect(rid: string, author: unknown, location: Location, into: Entry[]): void {
    if (rid.length !== 34 || this.#directs.has(rid) || this.#context.directory.roomName(rid) !== undefined) return;
    const members = peopleOfDirect(rid);
    const id = idOf(asObject<RocketPerson>(author)?._id);
    if (members === undefined || id === undefined || !members.includes(id)) return;
    this.#directs.add(rid);
    into.push(
      recordEntry({ kind: 'conversation', id: rid, type: 'direct', name: '', members: [...members] }, location),
    );
  }

  end(): readonly Entry[] {
    const into: Entry[] = [...this.#context.answers.missingFrom(this.#path, this.behind)];
    this.#counts.end(this.#path, into);
    this.#notes.end(this.#path, into);
    return into;
  }
}

/** As files are called: addresses have no spaces. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
