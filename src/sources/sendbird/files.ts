import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, invalidEntry, readEntry } from '../kit/entries.ts';
import { addInvalidRow, addProblemRow, type GoodRow, type JsonFile } from '../kit/rows/json-entries.ts';
import { addUnreadRow } from '../kit/rows/rows-inside.ts';
import { asId, asObject, asString, wordFor } from '../kit/narrow.ts';
import { besideMessage, Directory } from './directory.ts';
import type { SendbirdChannel, SendbirdMessage, Times } from './format.ts';
import { readMessage, type MessagePlace } from './message.ts';
import { type Layout, readRows, type RowsInput } from './rows.ts';

/** State shared by all files of an export. */
export interface ExportContext extends RowsInput {
  readonly workspace: string;
  readonly times: Times;
  /** Facts from lists of people and channels. */
  readonly directory: Directory;
  readonly counts: CountedProblems;
}

const codes = ['profile-detail-not-migrated', 'sendbird-not-migrated'] as const;
export const newCounts = () => new CountedProblems(...codes);

/** A list of people, of members of channels, or of channels. */
export function readList(path: string, layout: Layout, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const { directory, counts } = context;
  return readRows(context, path, layout, {
    add({ value, location, parentKey }, into) {
      if (layout.kind === 'channels') directory.addChannel(asObject(value) ?? {}, location, into, parentKey);
      else if (layout.kind === 'members') directory.addMember(asObject(value) ?? {}, location, into);
      else if (directory.addPerson(value, parentKey ?? 'users', location, into) === undefined)
        into.push(problemEntry('user-without-id', 'A person without "user_id"', location));
      return undefined;
    },
    addFault: addProblemRow,
    end: () => counts.ended(path),
  });
}

/** A file of messages, which stands for itself. */
export const readMessages = (path: string, layout: Layout, context: ExportContext): AsyncGenerator<readonly Entry[]> =>
  readRows(context, path, layout, new MessageFile(path, context));

class MessageFile implements JsonFile {
  readonly #path: string;
  readonly #counts = newCounts();
  readonly #directory: Directory;
  readonly #lists: Directory;
  readonly #place: MessagePlace & { channelUrl: string | undefined };
  /** Fields of the channel that the file is about. */
  #fields: Record<string, unknown> = {};
  #location: Location = { path: '' };
  #into: Entry[] = [];

  constructor(path: string, { workspace, times, directory }: ExportContext) {
    this.#path = path;
    this.#lists = directory;
    this.#directory = new Directory(this.#counts, times, directory);
    this.#place = {
      workspace,
      times,
      channelUrl: undefined,
      see: (person) => this.#directory.addPerson(person, besideMessage, this.#location, this.#into),
      nameOf: (id) => this.#directory.nameOf(id),
      count: (what) => this.#counts.add('sendbird-not-migrated', what),
    };
  }

  add(found: GoodRow, into: Entry[]): undefined {
    const { value, key, parentKey = 'messages', location } = found;
    if (parentKey === 'channel') this.#fields[key ?? ''] = value;
    else if (parentKey !== 'messages') addUnreadRow(found, into);
    if (parentKey !== 'messages') return;
    const row = asObject<SendbirdMessage>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location));
      return;
    }
    this.#lists.lastMessages.see(asId(row.message_id));
    this.#location = location;
    this.#into = into;
    this.#place.channelUrl = asString(this.#fields.channel_url);
    const read = readMessage(row, this.#place);
    into.push(readEntry(read, location, asString(row.channel_url)));
  }

  readonly addFault = addInvalidRow;

  end(): readonly Entry[] {
    const into: Entry[] = [];
    const at = { path: this.#path, pointer: '/channel' };
    if (Object.keys(this.#fields).length > 0)
      this.#directory.addChannel(this.#fields as Partial<SendbirdChannel>, at, into);
    this.#counts.end(this.#path, into);
    return into;
  }
}
