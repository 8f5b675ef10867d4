import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import { invalidEntry } from '../kit/entries.ts';
import type { GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import { localFiles, type LocalFiles } from '../kit/files/local-files.ts';
import { asArray, asObject, asString, asWord, describe, wordFor } from '../kit/narrow.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { noteAssumption, type TimeReader, timeReader } from '../kit/time/time-reading.ts';
import { ExportedChat } from './exported-chat.ts';
import { type Fields, asFields } from './format.ts';
import { namedFile } from './markdown-file.ts';
import type { Place } from './options.ts';

const known = ['date', 'sender', 'body', 'quote', 'sticker', 'reactions', 'attachments', 'deleted', 'call', 'missed'];

/** `data.json`, which stands for itself. */
export class DataFile implements JsonFile {
  readonly #place: Place;
  readonly #chat: ExportedChat;
  readonly #readTime: TimeReader;
  readonly #notes = new RowNotes();
  #files: Promise<LocalFiles> | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.#chat = new ExportedChat(place);
    this.#readTime = timeReader('iso', place.options.zone);
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    const row = asObject<Fields>(value);
    if (!row) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, this.#chat.id));
      return undefined;
    }
    const time = this.#readTime(asString(row.date) ?? '');
    if (!time) {
      const reason = `Expected a time as "date", found ${describe(row.date)}`;
      into.push(invalidEntry('signal-bad-time', reason, location, this.#chat.id));
      return undefined;
    }
    if (time.assumed) noteAssumption(this.#notes, { assumed: time.assumed, text: String(row.date), location }, into);
    const message = this.#chat.message(
      {
        location,
        assumed: time.assumed,
        ...time,
        isExact: /\.\d{3}/.test(String(row.date)),
        author: asString(row.sender) ?? '',
        text: row.deleted === true ? '' : signalText(row),
        isDeleted: row.deleted === true,
        reactions: asArray(row.reactions).map((pair) =>
          Array.isArray(pair) ? { name: pair[0], emoji: pair[1] } : pair,
        ),
        cells: identifyingCells(row),
      },
      into,
    );
    if (row.call === true) message.call = { startedAtMs: message.sentAtMs };
    if (row.missed === true) message.custom = { missed: true };
    for (const key in row) if (!known.includes(key)) message.custom = { ...message.custom, [key]: row[key] as never };
    const files = asArray(row.attachments);
    return files.length === 0 ? undefined : this.#addFiles(message, files);
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#chat.end(into);
    this.#notes.end(this.#place.path, into);
    return into;
  }

  async #addFiles(record: NewMessage, files: readonly unknown[]): Promise<void> {
    const { input, path: own } = this.#place;
    this.#files ??= localFiles(input, own.slice(0, own.lastIndexOf('/') + 1));
    const local = await this.#files;
    record.attachments = await Promise.all(
      files.map((value) => {
        const { name, path, missing_kind: missing } = asFields(value);
        const words = asString(name) ?? asString(missing) ?? 'file';
        return local.attachment(namedFile({ name: words, path: asString(path) ?? '' }));
      }),
    );
  }
}

/** In an order of our own: what later versions add changes no id. */
function identifyingCells({ date, sender, body, quote, sticker, attachments }: Fields): string[] {
  const named = asArray(attachments).map((value) => asFields(value).name);
  return [date, sender, body, quote, describeSticker(sticker), ...named].map((value) => asWord(value ?? ''));
}

function signalText({ body, quote, sticker }: Fields): string {
  const said = (asString(body) ?? '').trimEnd();
  const cited = (asString(quote) ?? '').trim();
  return [cited && `${cited}\n`, said, describeSticker(sticker)].filter(Boolean).join('\n').trimEnd();
}

const describeSticker = (sticker: unknown): string =>
  typeof sticker === 'string' ? sticker : (asString(asFields(sticker).emoji) ?? (asObject(sticker) ? 'sticker' : ''));
