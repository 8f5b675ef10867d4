/**
 * What passes between whoever reads exports and whoever maps them. Plain data: the two may be threads, and what crosses
 * between threads is copied.
 */
import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import type { SumAt } from '../../io/input/growing-file.ts';
import type { Location } from '../../lib/text/location.ts';
import type { PackedRows } from '../../checkpoint/staging/packed-rows.ts';
import type { StagedItem } from '../../checkpoint/staging/staged-item.ts';
import type { Filter } from '../../mapping/filter/filter.ts';
import type { Identity } from '../../mapping/muid.ts';
import type { Mapping } from '../../mapping/rules/load-rules.ts';
import type { Entry, ReadEnd } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import type { PartOrder } from './part-filter.ts';

/** What is known of exports without their listings. */
export interface OpenedExports {
  /** Name of the source to which they belong. */
  readonly source: string;
  readonly inputs: readonly InputSummary[];
  /** Where several threads are to read them: they must have found the same. */
  readonly listing?: { readonly digest: string; readonly filesPerTurn: number } | undefined;
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
  /** Where the store holds one part of the export: everything else is left out. */
  readonly part?: PartOrder | undefined;
  /** By which rules a thread that reads maps as well. Absent: whoever gets the entries maps them. */
  readonly mapping?: MappingOrder | undefined;
  /** Where it is one of several threads, which map as well: its part of the files. */
  readonly share?: Share | undefined;
}

/** One of `count` threads, from 0, that read so many files each in turn. */
export interface Share {
  readonly index: number;
  readonly count: number;
  readonly filesPerTurn: number;
}

/** What a mapper is made of, as far as it can cross to another thread. */
export interface MappingOrder {
  /** Without a module, which is code. */
  readonly mapping: Omit<Mapping, 'module'>;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
  readonly only: Filter | undefined;
  /** Ids of people whose uid gets a hash, because others have it. */
  readonly hashed: ReadonlySet<string> | undefined;
  readonly replaysReactions: boolean;
}

/** Where a file ended, and the sum of everything before that. */
export type VerifiedEnd = ReadEnd & SumAt;

/** Some entries of one input, in order. */
export interface EntryList {
  /** Index of the input. */
  readonly input: number;
  readonly entries: readonly ReadEntry[];
  /** The last of a turn of its thread, where there are several. */
  readonly endsTurn?: true;
  /** Another thread hands these on. */
  readonly isKnownOnly?: true;
}

/** What became of some entries of one input where they were read, in order. */
export interface StepList {
  readonly input: number;
  readonly steps: readonly Step[];
  readonly endsTurn?: true;
}

/** What is left to do for an entry: something to write, the end of a file, or everything. */
export type Step = StagedItem | PackedRun | FinishedFile | FoundEnd | LeftEntry;

/** Some rows of one file and conversation, one behind the other: from one of those that are packed, up to another. */
export interface PackedRun {
  readonly type: 'packed';
  readonly rows: PackedRows;
  readonly from: number;
  readonly to: number;
  readonly path: string;
  readonly of: Readonly<Record<'source' | 'workspace' | 'conversation', string>>;
}

/** For whoever knows what all threads have read. */
export interface LeftEntry {
  readonly type: 'left';
  readonly entry: Exclude<ReadEntry, FinishedFile | FoundEnd>;
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
  /** Whether several threads may read them. */
  readonly isShared: boolean;
}

/** What a thread receives: what to open, once; what to read, once; then a note for each parcel that was taken. */
export type ThreadOrder = ThreadTask | ReadRequest | 'taken';

/**
 * What it posts: what it has opened, then parcels of lists, then the end; or why it cannot go on. Whoever posts may wake the other
 * thread, which costs up to a millisecond of CPU on a virtual machine (measured): as much as reading fifty messages.
 */
export type ThreadMessage =
  | { readonly type: 'opened'; readonly exports: OpenedExports }
  | { readonly type: 'entries'; readonly lists: readonly PackedList[] }
  | { readonly type: 'steps'; readonly lists: readonly PackedSteps[] }
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

/** A list of what became of them: `packSteps`. */
export interface PackedSteps {
  /** Of everything but the rows. */
  readonly json: string;
  /** Rows of which only the place stands in the JSON: nearly all. */
  readonly rows?: PackedRows;
  /** The payloads of the others. */
  readonly words: readonly string[];
}
