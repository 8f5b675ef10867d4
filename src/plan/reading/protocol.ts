/**
 * What passes between whoever reads exports and whoever maps them. Plain data: the two may be threads, and what crosses
 * between threads is copied.
 */
import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import type { SumAt } from '../../io/input/growing-file.ts';
import type { Location } from '../../lib/location.ts';
import type { Identity } from '../../mapping/muid.ts';
import type { Entry, ReadEnd } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';

/** Lists that are taken before the thread hears of it: each note wakes it, which costs more than reading some rows. */
export const listsPerNote = 4;

/** What is known of exports without their listings. */
export interface OpenedExports {
  /** Name of the source to which they belong. */
  readonly source: string;
  readonly inputs: readonly InputSummary[];
}

export type InputSummary = Pick<ExportInput, 'key' | 'label' | 'problems'>;

/** What is to be read. */
export interface ReadRequest {
  /** Name of a source. */
  readonly source: string;
  /** Parsed by the source's schema. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  /** For each input, in order: the row files to read. */
  readonly wanted: readonly (readonly string[] | 'all')[];
  /** For each input: files that are read from where they ended, as it was verified. */
  readonly ends?: readonly ReadonlyMap<string, VerifiedEnd>[];
}

/** Where a file ended, and the sum of everything before that. */
export type VerifiedEnd = ReadEnd & SumAt;

/** Some entries of one input, in order. */
export interface EntryList {
  /** Index of the input. */
  readonly input: number;
  readonly entries: readonly ReadEntry[];
}

/** An entry; a message with what it is known by, a file that is finished with what it was. */
export type ReadEntry = Exclude<Entry, { type: 'file' }> | MessageEntry | FoundEnd | FinishedFile;

/** A message as it was read, and what it is known by. */
export interface MessageEntry {
  readonly type: 'record';
  readonly record: MessageRecord;
  readonly location: Location;
  readonly identity: Identity;
}

/** What comes of the file behind this may be another next time. */
export interface FoundEnd {
  readonly type: 'read-end';
  readonly path: string;
  readonly end: VerifiedEnd;
}

export type FinishedFile = Extract<Entry, { type: 'file' }> & { readonly stat: FileStat };

/** What a thread is to open. */
export interface ThreadTask {
  readonly exports: readonly string[];
  readonly source: string | undefined;
}

/** What a thread receives: what to open, once; what to read, once; then how many lists were taken since the last such number. */
export type ThreadOrder = ThreadTask | ReadRequest | number;

/** What it posts: what it has opened, then some entries at a time, then the end; or why it cannot go on. */
export type ThreadMessage =
  | { readonly type: 'opened'; readonly exports: OpenedExports }
  | { readonly type: 'entries'; readonly list: PackedList }
  | { readonly type: 'end' }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly hint: string | undefined;
      readonly stack: string | undefined;
    };

/** A list of entries on its way between threads: `packEntries`. */
export interface PackedList {
  /** Of everything but the words. */
  readonly json: string;
  /** Of each message: its text, and as JSON the fields that few messages have, or nothing. */
  readonly words: readonly string[];
}
