import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { Seen } from '../kit/described.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { asObject, asString, describe, wordFor } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { GroupFiles } from './files.ts';
import type { ChatMessage, ChatPerson } from './format.ts';
import { latestChange, readMessage, type Row, findSentTime } from './message.ts';
import { groupIdOf, readUser } from './people.ts';

export interface FilePlace {
  readonly path: string;
  readonly workspace: string;
  readonly files: GroupFiles;
}

const headBytes = 64 * 1024;

/** The entries of one `messages.json`, or of a file that is one message. It stands for itself. */
export async function* readMessages(input: ExportInput, place: FilePlace): AsyncGenerator<readonly Entry[]> {
  const { path } = place;
  const head = await headText(input, path, headBytes);
  const folder = path.split('/').at(-2);
  const [, group] = /"message_id"\s*:\s*"([^"/]{1,200})\//.exec(head) ?? [];
  const isInGroup = folder !== undefined && /(?:^|\/)messages\.json$/.test(path);
  const conversation = isInGroup
    ? groupIdOf(folder)
    : (group ??
      path
        .split('/')
        .at(-1)!
        .replace(/\.json$/i, ''));
  const isOneMessage = !/"messages"\s*:/.test(head) && /"message_id"\s*:/.test(head);
  const at = isOneMessage ? ({ layout: 'values' } as const) : ({ layout: 'list', pattern: ['messages'] } as const);
  yield* readJsonEntries(input, path, at, new MessageFile(place, conversation));
}

class MessageFile implements JsonFile {
  readonly #place: FilePlace;
  readonly #conversation: string;
  readonly #people = new Seen();
  readonly #notes = new RowNotes();
  #row = 0;
  /** Time of the previous message. */
  #lastMs: number | undefined;

  constructor(place: FilePlace, conversation: string) {
    this.#place = place;
    this.#conversation = conversation;
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    this.#row += 1;
    const row = asObject<ChatMessage>(value);
    const reject = (code: string, reason: string) => {
      into.push(invalidEntry(code, reason, location, this.#conversation));
      return undefined;
    };
    if (!row) return reject('not-an-object', `Expected a message, found ${wordFor(value)}`);
    const id = asString(row.message_id);
    if (id === undefined)
      return reject('missing-id', `Expected a text as "message_id", found ${describe(row.message_id)}`);
    const saidMs = findSentTime(row);
    const sentAtMs = saidMs ?? this.#assumed(row);
    if (sentAtMs === undefined) {
      return reject('googlechat-bad-time', `${expectedDate}, found ${wholeDate(row.created_date)}`);
    }
    this.#lastMs = sentAtMs;
    if (saidMs === undefined) this.#notes.add('googlechat-time-assumed', noTime, location, into);
    const origin = { source: 'googlechat', workspace: this.#place.workspace, conversation: this.#conversation, id };
    const record = readMessage(row, { origin, sentAtMs, sortKey: rowSortKey(0, this.#row) });
    if (record.author !== undefined && this.#people.add(record.author)) {
      into.push(recordEntry(readUser(asObject<ChatPerson>(row.creator)!)!, location));
    }
    into.push(recordEntry(record, location));
    return row.attached_files === undefined ? undefined : this.#addFiles(record, row.attached_files);
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    into.push(invalidEntry(fault.code, fault.reason, location, this.#conversation));
  }

  end(): readonly Entry[] {
    return this.#notes.ended(this.#place.path);
  }

  /** Between its neighbours; a time that is said, and cannot be read, is none to guess at. */
  #assumed(row: Row): number | undefined {
    if (row.created_date !== undefined) return undefined;
    const latest = latestChange(row);
    if (this.#lastMs === undefined) return latest;
    return latest === undefined ? this.#lastMs : Math.min(latest, this.#lastMs);
  }

  async #addFiles(record: NewMessage, values: unknown): Promise<void> {
    const attachments = await this.#place.files.readAttachments(values);
    if (attachments.length > 0) record.attachments = attachments;
  }
}

const expectedDate =
  'Expected a date in UTC as "created_date", such as "Monday, March 2, 2026 at 9:00:00 AM UTC" or the same in a language that is known';
/** Shows the date with its end, because the time zone is there. */
const wholeDate = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : describe(value);
const noTime = 'The message does not say when it was sent: it gets the time of the one before it, or that of its end';
