import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import { unforeseen } from '../kit/rows/row-boundary.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { Directory } from './directory.ts';
import { zulipTime, type ZulipMessage } from './format.ts';

type Row = Untrusted<ZulipMessage>;

const inMessages = { layout: 'list', pattern: ['zerver_message'] } as const;

/**
 * The first message of each topic, which the others of the topic answer. Zulip does not mark one: a topic is a name
 * that messages share. Ids rise with time there, so the first message is the one with the smallest id, whatever file it
 * is in.
 *
 * Memory: some 60 bytes a topic. A line that the server wrote does not begin a topic.
 */
export class Topics {
  readonly #first = new PackedMap();
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** Reads all messages. Unreadable parts are reported when the file is read for its messages. */
  static async of(
    input: ExportInput,
    { paths, directory, signal }: { readonly paths: readonly string[]; directory: Directory; signal: AbortSignal },
  ): Promise<Topics> {
    const topics = new Topics(directory);
    for (const path of paths) {
      try {
        for await (const rows of readJsonRows(input.open(path), path, inMessages)) {
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
      this.note(asObject<ZulipMessage>(value));
    } catch (error) {
      unforeseen(error);
    }
  }

  note(row: Row | undefined): void {
    const key = row && this.#keyOf(row);
    const id = asId(row?.id);
    if (key === undefined || id === undefined || zulipTime(row!.date_sent ?? row!.pub_date) === undefined) return;
    const author = asId(row!.sender);
    if (author !== undefined && this.#directory.systemBot(author) !== undefined) return;
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
    const recipient = asId(row.recipient);
    const target = recipient === undefined || topic === undefined ? undefined : this.#directory.targetOf(recipient);
    const isOfStream = target !== undefined && 'stream' in target;
    return isOfStream ? `${recipient} ${encoded(topic!.toLowerCase())}` : undefined;
  }
}

/** Letters of one byte are held in less room. Half of a pair of UTF-16 is no letter. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const isBefore = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length;
