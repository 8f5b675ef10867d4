import type { Location } from '../lib/text/location.ts';
import type { ChatRecord } from './records.ts';

/** One step of reading: a record, or why a piece of the export did not become one. */
export type Entry =
  | {
      readonly type: 'record';
      readonly record: ChatRecord;
      readonly location: Location;
      /** The time of a message depends on a zone that had to be assumed. */
      readonly isZoneAssumed?: true;
    }
  /** One timeline row that could not be read; counts 1 in "read". The unreadable rest of a cut-off file counts as one. */
  | {
      readonly type: 'invalid';
      readonly code: string;
      readonly reason: string;
      readonly location: Location;
      /** Conversation id, if it is known. */
      readonly conversation?: string;
      /** Unexpected error that a row threw; its stack goes into the log alone. */
      readonly cause?: unknown;
    }
  /** One timeline row that a condition of the mapping leaves out, before it becomes a message; counts 1 in "read" and in "skipped". */
  | {
      readonly type: 'skipped';
      /** `only: kind`: the condition, and its column. */
      readonly rule: string;
      readonly location: Location;
    }
  /** Anything else that a person should know; outside the sum. */
  | {
      readonly type: 'problem';
      readonly code: string;
      readonly reason: string;
      readonly location: Location;
      /** Where it stands for so many cases; 1 without it. */
      readonly count?: number;
      /** Ids of the people or conversations that a decision is about: its code says which. */
      readonly about?: readonly string[];
      /** In a table: the column, or the path, concerned. */
      readonly column?: string;
      /** Table concerned, if it is not the table of messages. */
      readonly table?: string;
      /** Unexpected error that an element threw; its stack goes into the log alone. */
      readonly cause?: unknown;
    }
  /** A file is finished: everything that it holds has been yielded before this entry, or it was left out. */
  | {
      readonly type: 'file';
      readonly path: string;
      /**
       * `shared`: other files refer to it (people, channels); a change in it means reading everything again.
       * `rows`: timeline rows, readable by itself. `skipped`: known, and left out for `reason`. `unknown`: not recognised.
       */
      readonly role: 'shared' | 'rows' | 'skipped' | 'unknown';
      readonly reason?: string;
      /** It holds messages that this source cannot read. */
      readonly isChat?: true;
    };

/** Whether it counts 1 in "read". */
export const isTimelineRow = (entry: Entry): boolean =>
  entry.type === 'invalid' || entry.type === 'skipped' || (entry.type === 'record' && entry.record.kind === 'message');
