import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import { recordEntry, rejectEntry } from '../kit/entries.ts';
import type { GoodRow, JsonFile } from '../kit/json-entries.ts';
import { localFiles } from '../kit/local-files.ts';
import { asArray, asObject, asString, describe, kindOf, type Untrusted } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/row-identity.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { noteAssumption, type TimeReader, timeReader } from '../kit/time-reading.ts';
import { reactionsOf } from './content.ts';
import { ExportedChat } from './exported-chat.ts';
import { fieldsOf } from './format.ts';
import { namedFile } from './markdown-file.ts';
import type { SignalOptions } from './options.ts';

/** A line of signal-export's `data.json`. */
interface DataRow {
  readonly date: string;
  readonly sender: string;
  readonly body: string;
  /** With the mark of a quote before each line, and blank lines around. */
  readonly quote: string;
  readonly sticker: string | { readonly emoji: string } | null;
  /** As pairs, or as objects. */
  readonly reactions: readonly (
    | readonly [name: string, emoji: string]
    | { readonly name: string; readonly emoji: string }
  )[];
  readonly attachments: readonly {
    readonly name: string;
    readonly path: string;
    readonly missing_kind?: string | null;
  }[];
  readonly deleted?: boolean;
  readonly call?: boolean;
  readonly missed?: boolean;
}

const known = ['date', 'sender', 'body', 'quote', 'sticker', 'reactions', 'attachments', 'deleted', 'call', 'missed'];

/** `data.json`, which stands for itself. */
export class DataFile implements JsonFile {
  readonly #path: string;
  readonly #workspace: string;
  readonly #chat: ExportedChat;
  readonly #readTime: TimeReader;
  readonly #identity = new RowIdentity();
  readonly #notes = new RowNotes();
  readonly #files: Awaited<ReturnType<typeof localFiles>>;

  static async of(
    input: ExportInput,
    path: string,
    title: string,
    workspace: string,
    options: SignalOptions,
  ): Promise<DataFile> {
    const files = await localFiles(input, path.slice(0, path.lastIndexOf('/') + 1));
    return new DataFile(path, new ExportedChat(title, options.me), workspace, options.zone, files);
  }

  private constructor(
    path: string,
    chat: ExportedChat,
    workspace: string,
    zone: string | undefined,
    files: Awaited<ReturnType<typeof localFiles>>,
  ) {
    this.#path = path;
    this.#chat = chat;
    this.#workspace = workspace;
    this.#readTime = timeReader('iso', zone);
    this.#files = files;
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const row = asObject<DataRow>(value);
    if (!row) {
      into.push(rejectEntry('not-an-object', `Expected a message, found ${kindOf(value)}`, location, this.#chat.id));
      return undefined;
    }
    const time = this.#readTime(asString(row.date) ?? '');
    if (!time) {
      into.push(
        rejectEntry(
          'signal-bad-time',
          `Expected a time as "date", found ${describe(row.date)}`,
          location,
          this.#chat.id,
        ),
      );
      return undefined;
    }
    this.#chat.begin(location, into);
    if (time.assumed) noteAssumption(this.#notes, { assumed: time.assumed, text: String(row.date), location }, into);
    const record = newMessage({
      origin: {
        source: 'signal',
        workspace: this.#workspace,
        conversation: this.#chat.id,
        id: this.#identity.idOf(cellsOf(row)),
      },
      sortKey: rowSortKey(time.nanoseconds, location.line!),
      sentAtMs: time.atMs,
      text: row.deleted === true ? '' : textOf(row),
    });
    const author = this.#chat.author(asString(row.sender) ?? '', location, into);
    if (author !== undefined) record.author = author;
    this.#addRest(row, record, (name) => this.#chat.person(name, location, into));
    into.push(recordEntry(record, location));
    const files = asArray(row.attachments);
    return files.length === 0 ? undefined : this.#addFiles(record, files);
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#chat.end(into);
    this.#notes.end(this.#path, into);
    return into;
  }

  #addRest(row: Untrusted<DataRow>, record: NewMessage, person: (name: string) => string): void {
    if (row.deleted === true) record.isDeleted = true;
    if (row.call === true) record.call = { startedAtMs: record.sentAtMs };
    const pairs = asArray(row.reactions).map((value) =>
      Array.isArray(value) ? { name: value[0], emoji: value[1] } : value,
    );
    const reactions = reactionsOf(pairs, ({ name }) =>
      asString(name) === undefined ? undefined : person(asString(name)!),
    );
    if (reactions.length > 0) record.reactions = reactions;
    for (const key in row)
      if (!known.includes(key)) record.custom = { ...record.custom, [key]: row[key as keyof DataRow] as never };
    if (row.missed === true) record.custom = { ...record.custom, missed: true };
  }

  async #addFiles(record: NewMessage, files: readonly unknown[]): Promise<void> {
    record.attachments = await Promise.all(
      files.map((value) => {
        const { name, path, missing_kind: missing } = fieldsOf(value);
        const words = asString(name) ?? asString(missing) ?? 'file';
        return this.#files.attachment(namedFile({ name: words, path: asString(path) ?? '' }));
      }),
    );
  }
}

/** In an order of our own: what later versions add changes no id. */
function cellsOf({ date, sender, body, quote, sticker, attachments }: Untrusted<DataRow>): string[] {
  const named = asArray(attachments).map((value) => fieldsOf(value).name);
  return [date, sender, body, quote, stickerOf(sticker), ...named].map((value) => String(value ?? ''));
}

function textOf({ body, quote, sticker }: Untrusted<DataRow>): string {
  const said = (asString(body) ?? '').trimEnd();
  const cited = (asString(quote) ?? '').trim();
  return [cited && `${cited}\n`, said, stickerOf(sticker)].filter(Boolean).join('\n').trimEnd();
}

const stickerOf = (sticker: unknown): string =>
  typeof sticker === 'string' ? sticker : (asString(fieldsOf(sticker).emoji) ?? (asObject(sticker) ? 'sticker' : ''));
