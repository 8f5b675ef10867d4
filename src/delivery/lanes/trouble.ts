import type { Batch } from '../destination.ts';
import { isBefore, type LaneRow } from '../lanes.ts';
import type { Suspect } from './set-aside.ts';

/** To be passed over where others are stored says as much as so many failures. */
const passedOverDepth = 6;

/** Requests for the same rows that fail as a whole, one after the other. */
export interface Trouble {
  /** Of exactly these rows. */
  readonly failures: number;
  /** They were split off from a request that failed. */
  readonly isPart: boolean;
  /** Requests in vain that led here, for the wait before the next one. */
  readonly depth: number;
  /** How often the service asked for a pause instead. */
  readonly pauses: number;
  /** Requests that had left when it began: an answer to a later one shows that the destination is not simply down. */
  readonly sentBefore: number;
  /** That was seen before its latest request left. */
  readonly isSeen: boolean;
  /** Nothing stands behind it that could tell more: it is tried until it is known. */
  readonly isLastTry: boolean;
  /** Messages that failed alone before any later request was answered. Shared by all parts of a batch. */
  readonly suspects: Suspect[];
  /** How many messages of it were found to blame, or may be. Shared by all parts of a batch. */
  readonly blamed: { count: number };
}

export const noTrouble = (): Trouble => ({
  failures: 0,
  isPart: false,
  depth: 0,
  pauses: 0,
  sentBefore: Number.NaN,
  isSeen: false,
  isLastTry: false,
  suspects: [],
  blamed: { count: 0 },
});

/**
 * What a request has left out that was stored in part, in order: those that were passed over, since something behind them is there, and
 * those behind everything that is, if they are more than a few. It speaks against the first; the others may have been cut off.
 */
export function leftOut(
  { rows }: Batch,
  absent: readonly LaneRow[],
  { number, trouble }: { readonly number: number; readonly trouble: Trouble },
): (readonly [readonly LaneRow[], Trouble])[] {
  if (absent.length === rows.length) return [[absent, trouble]];
  const isAbsent = new Set(absent);
  const upTo = rows.findLastIndex((row) => !isAbsent.has(row));
  // That it was cut off just before its end is less likely.
  const isAtEnd = (rows.length - upTo - 1) * 10 <= rows.length;
  const passed = new Set(isAtEnd ? rows : rows.slice(0, upTo));
  return [
    [
      absent.filter((row) => passed.has(row)),
      { ...trouble, sentBefore: number - 1, depth: trouble.depth + passedOverDepth },
    ],
    [absent.filter((row) => !passed.has(row)), trouble],
  ];
}

export function halvesByCount(rows: readonly LaneRow[]): [readonly LaneRow[], readonly LaneRow[]] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}

/**
 * The row after a request for it: "already there" is then our own. It is late if messages of its lane that come behind it are
 * already there.
 */
export const asSentBefore = (row: LaneRow): LaneRow => ({
  ...row,
  hadIntent: true,
  isNew: false,
  isLate: row.isLate || (row.lane.deliveredUpTo !== undefined && isBefore(row, row.lane.deliveredUpTo)),
});
