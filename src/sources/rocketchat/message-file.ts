import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { Attachment } from '../../model/records.ts';
import { CountedProblems } from '../kit/counted-problems.ts';
import { recordEntry, rejectEntry } from '../kit/entries.ts';
import { readJsonRows } from '../kit/json-rows.ts';
import type { localFiles } from '../kit/local-files.ts';
import { asArray, asObject, kindOf } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/row-identity.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { type Directory, peopleOfDirect } from './directory.ts';
import { idOf, type RocketMessage, type RocketPerson } from './format.ts';
import type { Layout } from './layout.ts';
import { messageOf, type RowPlace } from './message.ts';
import { People } from './people.ts';

/** What all files of an export share. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  readonly directory: Directory;
  readonly files: Awaited<ReturnType<typeof localFiles>>;
}

/** The entries of a file of messages, which stands for itself. */
export async function* readMessages(
  path: string,
  { at, isNewestFirst }: Layout,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const file = new MessageFile(path, isNewestFirst, context);
  // Without a list of people, what usernames of reactions mean stands in messages, before or behind.
  if (!context.directory.hasPeople) {
    for await (const rows of readJsonRows(context.input.open(path), path, at))
      for (const { value } of rows) file.people.learn(value);
  }
  for await (const rows of readJsonRows(context.input.open(path), path, at)) {
    const into: Entry[] = [];
    for (const { location, value, fault } of rows) {
      if (fault) into.push(rejectEntry(fault.code, fault.reason, location));
      else {
        const lookUp = file.add(value, location, into);
        if (lookUp) await lookUp;
      }
    }
    yield into;
  }
  yield file.end();
}

class MessageFile {
  readonly people: People;
  readonly #path: string;
  readonly #isNewestFirst: boolean;
  readonly #context: ExportContext;
  readonly #notes = new RowNotes();
  readonly #counts = new CountedProblems('rocketchat-earlier-version', 'rocketchat-not-carried');
  /** Rooms of two that were described; nothing else does. */
  readonly #directs = new Set<string>();
  #row = 0;

  constructor(path: string, isNewestFirst: boolean, context: ExportContext) {
    this.people = new People(context.directory);
    this.#path = path;
    this.#isNewestFirst = isNewestFirst;
    this.#context = context;
  }

  /** @returns what has to be waited for: files beside the export are looked up. */
  add(value: unknown, location: Location, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const row = asObject<RocketMessage>(value);
    if (row === undefined) {
      into.push(rejectEntry('not-an-object', `Expected a message, found ${kindOf(value)}`, location));
      return undefined;
    }
    if (row._hidden === true && idOf(row.parent) !== undefined) {
      this.#counts.add('rocketchat-earlier-version', 'earlier versions of edited messages');
      return undefined;
    }
    const read = messageOf(row, this.#placeOf(location, into));
    if ('code' in read) {
      into.push(rejectEntry(read.code, read.reason, location, idOf(row.rid)));
      return undefined;
    }
    this.#describeDirect(read.origin.conversation, row.u, location, into);
    into.push(recordEntry(read, location));
    this.#counts.add('rocketchat-not-carried', 'stars', asArray(row.starred).length);
    const files = read.attachments?.map((file) => (this.#isHere(file.url) ? this.#lookUp(file) : file));
    if (files === undefined || files.every((file) => !(file instanceof Promise))) return undefined;
    return Promise.all(files).then((found) => {
      (read as { attachments?: typeof found }).attachments = found;
    });
  }

  readonly #isHere = (url: string | undefined) => url !== undefined && this.#context.files.has(decoded(url));

  async #lookUp({ id, name, url, mimeType }: Attachment): Promise<Attachment> {
    return this.#context.files.attachment({ path: decoded(url!), id, name, mimeType });
  }

  #placeOf(location: Location, into: Entry[]): RowPlace {
    const { workspace, directory } = this.#context;
    return {
      workspace,
      sortKey: rowSortKey(0, this.#row, this.#isNewestFirst),
      see: (person, isBot) => this.people.see(person, location, into, isBot),
      nameOf: (id) => this.people.nameOf(id),
      idOfUsername: (username) => this.people.idOfUsername(username),
      roomName: directory.roomName,
      note: ({ code, reason }) => this.#notes.add(code, reason, location, into),
    };
  }

  #describeDirect(rid: string, author: unknown, location: Location, into: Entry[]): void {
    if (this.#directs.has(rid) || this.#context.directory.roomName(rid) !== undefined) return;
    const members = peopleOfDirect(rid);
    const id = idOf(asObject<RocketPerson>(author)?._id);
    if (members === undefined || id === undefined || !members.includes(id)) return;
    this.#directs.add(rid);
    into.push(
      recordEntry({ kind: 'conversation', id: rid, type: 'direct', name: '', members: [...members] }, location),
    );
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
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
