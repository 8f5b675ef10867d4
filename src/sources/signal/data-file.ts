import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import { recordEntry, rejectEntry } from '../kit/entries.ts';
import type { GoodRow, JsonFile } from '../kit/json-entries.ts';
import { localFiles } from '../kit/local-files.ts';
import { asArray, asObject, asString, describe, kindOf } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/row-identity.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { noteAssumption, type TimeReader, timeReader } from '../kit/time-reading.ts';
import { reactionsOf } from './content.ts';
import { ExportedChat } from './exported-chat.ts';
import { type Fields, fieldsOf } from './format.ts';
import { namedFile } from './markdown-file.ts';
import { titleOf } from './layout.ts';
import type { Place } from './options.ts';

const known = ['date', 'sender', 'body', 'quote', 'sticker', 'reactions', 'attachments', 'deleted', 'call', 'missed'];

/** `data.json`, which stands for itself. */
export class DataFile implements JsonFile {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #workspace: string;
  readonly #chat: ExportedChat;
  readonly #readTime: TimeReader;
  readonly #identity = new RowIdentity();
  readonly #notes = new RowNotes();
  #files: ReturnType<typeof localFiles> | undefined;

  constructor({ input, path, workspace, options }: Place) {
    this.#input = input;
    this.#path = path;
    this.#workspace = workspace;
    this.#chat = new ExportedChat(titleOf(input, path), options.me);
    this.#readTime = timeReader('iso', options.zone);
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const row = asObject<Fields>(value);
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

  #addRest(row: Fields, record: NewMessage, person: (name: string) => string): void {
    if (row.deleted === true) record.isDeleted = true;
    if (row.call === true) record.call = { startedAtMs: record.sentAtMs };
    const pairs = asArray(row.reactions).map((value) =>
      Array.isArray(value) ? { name: value[0], emoji: value[1] } : value,
    );
    const reactions = reactionsOf(pairs, ({ name }) =>
      asString(name) === undefined ? undefined : person(asString(name)!),
    );
    if (reactions.length > 0) record.reactions = reactions;
    for (const key in row) if (!known.includes(key)) record.custom = { ...record.custom, [key]: row[key] as never };
    if (row.missed === true) record.custom = { ...record.custom, missed: true };
  }

  async #addFiles(record: NewMessage, files: readonly unknown[]): Promise<void> {
    this.#files ??= localFiles(this.#input, this.#path.slice(0, this.#path.lastIndexOf('/') + 1));
    const local = await this.#files;
    record.attachments = await Promise.all(
      files.map((value) => {
        const { name, path, missing_kind: missing } = fieldsOf(value);
        const words = asString(name) ?? asString(missing) ?? 'file';
        return local.attachment(namedFile({ name: words, path: asString(path) ?? '' }));
      }),
    );
  }
}

/** In an order of our own: what later versions add changes no id. */
function cellsOf({ date, sender, body, quote, sticker, attachments }: Fields): string[] {
  const named = asArray(attachments).map((value) => fieldsOf(value).name);
  return [date, sender, body, quote, stickerOf(sticker), ...named].map((value) => String(value ?? ''));
}

function textOf({ body, quote, sticker }: Fields): string {
  const said = (asString(body) ?? '').trimEnd();
  const cited = (asString(quote) ?? '').trim();
  return [cited && `${cited}\n`, said, stickerOf(sticker)].filter(Boolean).join('\n').trimEnd();
}

const stickerOf = (sticker: unknown): string =>
  typeof sticker === 'string' ? sticker : (asString(fieldsOf(sticker).emoji) ?? (asObject(sticker) ? 'sticker' : ''));
