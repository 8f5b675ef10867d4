import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { asId, asString, type Untrusted } from '../kit/narrow.ts';
import { zulipTime, type ZulipMessage } from './format.ts';
import type { RowReading } from './row-reading.ts';

type Row = Untrusted<ZulipMessage>;

/** A file with messages, and where they are in it. */
export interface MessageRows {
  readonly path: string;
  readonly at: JsonRowsAt;
}

/** Where messages are in a file of the server's export. */
export const inMessages: JsonRowsAt = { layout: 'list', pattern: ['zerver_message'] };

/**
 * The first message of each topic, which the others of the topic answer. Zulip does not mark one: a topic is a name
 * that messages share. Ids rise with time there, so the first message is the one with the smallest id, whatever file it
 * is in.
 *
 * Memory: some 60 bytes a topic. A line that the server wrote does not begin a topic.
 */
export class Topics {
  readonly #first = new PackedMap();
  readonly #reading: RowReading;

  constructor(reading: RowReading) {
    this.#reading = reading;
  }

  /** Reads all messages. Unreadable parts are reported when the file is read for its messages. */
  static async of(
    input: ExportInput,
    {
      files,
      reading,
      signal,
    }: { readonly files: readonly MessageRows[]; readonly reading: RowReading; readonly signal: AbortSignal },
  ): Promise<Topics> {
    const topics = new Topics(reading);
    for (const { path, at } of files) {
      try {
        for await (const rows of readJsonRows(input.open(path), path, at)) {
          for (const { value } of rows) topics.#noteAny(value);
          signal.throwIfAborted();
        }
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
      }
    }
    return topics;
  }

  #noteAny(value: unknown): void {
    try {
      this.note(this.#reading.toRow(value));
    } catch (error) {
      unforeseen(error);
    }
  }

  note(row: Row | undefined): void {
    const key = row && this.#keyOf(row);
    const id = asId(row?.id);
    if (key === undefined || id === undefined || zulipTime(row!.date_sent ?? row!.pub_date) === undefined) return;
    const author = asId(row!.sender);
    if (author !== undefined && this.#reading.systemOf(row!, author) !== undefined) return;
    const first = this.#first.get(key);
    if (first === undefined || isBefore(id, first)) this.#first.set(key, id);
  }

  /** Returns the id of the message with which a row's topic begins; undefined for that message itself, and for rows before it. */
  rootOf(row: Row): string | undefined {
    const key = this.#keyOf(row);
    const first = key === undefined ? undefined : this.#first.get(key);
    return first !== undefined && isBefore(first, asId(row.id) ?? '') ? first : undefined;
  }

  /** By stream and topic, whose letters may be large or small; undefined where messages have none. */
  #keyOf(row: Row): string | undefined {
    const topic = asString(row.subject);
    const target = topic === undefined ? undefined : this.#reading.targetOf(row);
    return target !== undefined && 'stream' in target ? `${target.stream} ${encoded(topic!.toLowerCase())}` : undefined;
  }
}

/** Letters of one byte are held in less room. Half of a pair of UTF-16 is no letter. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const isBefore = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length;
