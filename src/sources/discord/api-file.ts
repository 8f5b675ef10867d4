import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { invalidEntry, recordEntry } from '../kit/entries.ts';
import { asId, asObject, wordFor } from '../kit/narrow.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { ApiDirectory, ApiList } from './api-directory.ts';
import type { ApiMessage } from './api-format.ts';
import { exportedMessage, exportedUser } from './api-row.ts';
import type { Channel } from './channel.ts';
import { readMessage } from './message.ts';
import { People } from './people.ts';
import { Row } from './row.ts';

/** The list, server or channel of a file of rows of the API: `guilds.ndjson`, `messages/1477000000000000100.ndjson`. */
const apiFile = /(?:^|\/)(?:(guilds)|(roles|members|channels|threads|messages)\/(\d{1,20}))\.ndjson$/;

export function parseApiPath(path: string): { readonly list: ApiList | 'messages'; readonly id: string } | undefined {
  const [, guilds, list, id = ''] = apiFile.exec(path) ?? [];
  const found = guilds ?? list;
  return found === undefined ? undefined : { list: found as ApiList | 'messages', id };
}

const lines = { layout: 'lines' } as const;

/** The people of a list, and what cannot be read of it; the rest is in the directory afterwards. */
export function readApiList(
  input: ExportInput,
  path: string,
  directory: ApiDirectory,
): AsyncIterable<readonly Entry[]> {
  const { list, id } = parseApiPath(path)!;
  return readJsonEntries(input, path, lines, directory.listFile(list as ApiList, id));
}

/** The messages of a channel or thread. */
export function readApiMessages(
  input: ExportInput,
  path: string,
  context: { readonly directory: ApiDirectory; readonly workspace: string },
): AsyncIterable<readonly Entry[]> {
  return readJsonEntries(input, path, lines, new ApiFile(path, context.directory, context.workspace));
}

class ApiFile implements JsonFile {
  readonly #path: string;
  readonly #id: string;
  readonly #directory: ApiDirectory;
  readonly #workspace: string;
  readonly #channel: Channel;
  readonly #server: string;
  readonly #people = new People();
  readonly #notes = new RowNotes();

  constructor(path: string, directory: ApiDirectory, workspace: string) {
    this.#path = path;
    this.#id = parseApiPath(path)!.id;
    this.#directory = directory;
    this.#workspace = workspace;
    this.#channel = directory.channel(this.#id);
    this.#server = directory.serverOf(this.#id);
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    this.#reject(fault, location, into);
  }

  #reject(problem: { readonly code: string; readonly reason: string }, location: Location, into: Entry[]): void {
    into.push(invalidEntry(problem.code, problem.reason, location, this.#channel.conversation.id));
  }

  add({ value, location }: GoodRow, into: Entry[]): undefined {
    const raw = asObject<ApiMessage>(value);
    if (raw === undefined) {
      this.#reject({ code: 'not-an-object', reason: `Expected a message, found ${wordFor(value)}` }, location, into);
      return;
    }
    const channel = asId(raw.channel_id);
    if (channel !== undefined && channel !== this.#id) {
      const reason = `Expected a message of ${this.#id}, found one of ${channel.slice(0, 40)}`;
      this.#reject({ code: 'discord-other-channel', reason }, location, into);
      return;
    }
    const message = exportedMessage(raw);
    if ('code' in message) {
      this.#reject(message as { code: string; reason: string }, location, into);
      return;
    }
    const people = { nameOf: (id: string) => this.#nameOf(id) };
    const row = new Row(this.#channel, people, this.#directory.places);
    const read = readMessage(message, row, {
      workspace: this.#workspace,
      channel: this.#channel,
      exportedAtMs: undefined,
      see: (user) => this.#see(user, location, into),
    });
    if (!('record' in read)) {
      this.#reject(read, location, into);
      return;
    }
    row.finishFiles(read.record);
    into.push(recordEntry(read.record, location));
    if (read.problem) this.#notes.add(read.problem.code, read.problem.reason, location, into);
  }

  #nameOf(id: string): string | undefined {
    return this.#directory.memberName(this.#server, id) ?? this.#people.nameOf(id);
  }

  /** The list of members describes a person better than the rows do. */
  #see(value: unknown, location: Location, into: Entry[]): string | undefined {
    const user = exportedUser(value);
    const id = asId(user?.id);
    if (id !== undefined && this.#directory.memberName(this.#server, id) !== undefined) return id;
    return this.#people.see(user, location, into);
  }

  end(): readonly Entry[] {
    return this.#notes.ended(this.#path);
  }
}
