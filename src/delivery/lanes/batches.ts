import { type Batch, batchOf, envelopeBytes } from '../destination.ts';
import type { Lane, LaneRow, ReadRows } from '../lanes.ts';
import type { Lanes } from './queue.ts';

export interface BatchLimits {
  readonly itemsMax: number;
  readonly bytesMax: number;
}

/**
 * The next batch: the longest run of one lane, filled up from others, within the limits. Its lanes become busy.
 *
 * @param mayBePartial Whether a batch below the limits may leave: only when no import request is in flight and no
 *   lane has anything left to add. So the number of requests stays the smallest possible.
 */
export function nextBatch(
  lanes: Lanes,
  limits: BatchLimits,
  readRows: ReadRows,
  mayBePartial: boolean,
): Batch | undefined {
  if (lanes.readyCount === 0 || (lanes.readyCount < limits.itemsMax && !mayBePartial)) return undefined;
  return batchFrom(lanes.ready(), lanes, limits, readRows);
}

/** The next messages of the first lanes, within the limits. These lanes become busy. */
export function batchFrom(
  from: readonly Lane[],
  lanes: Lanes,
  limits: BatchLimits,
  readRows: ReadRows,
): Batch | undefined {
  const rows: LaneRow[] = [];
  let bytes = envelopeBytes;
  for (const lane of from) {
    const candidates = readRows(lane, limits.itemsMax - rows.length);
    const fitting = rowsThatFit(candidates, limits.bytesMax - bytes);
    // A message that is too large by itself goes alone: the destination's words about it are worth having.
    const taken = fitting.length === 0 && rows.length === 0 ? candidates.slice(0, 1) : fitting;
    if (taken.length === 0) continue;
    lanes.take(lane);
    moveCursor(lane, taken);
    for (const row of taken) {
      rows.push(row);
      bytes += row.bytes + 1;
    }
    if (rows.length >= limits.itemsMax || bytes >= limits.bytesMax) break;
  }
  return rows.length === 0 ? undefined : batchOf(rows);
}

/** As many of the rows, from the first, as fit; the comma between two counts. */
function rowsThatFit(rows: readonly LaneRow[], bytesLeft: number): readonly LaneRow[] {
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    bytes += row.bytes + 1;
    if (bytes > bytesLeft) return rows.slice(0, index);
  }
  return rows;
}

function moveCursor(lane: Lane, taken: readonly LaneRow[]): void {
  const last = taken.at(-1)!;
  lane.cursor = [last.sentAtMs, last.sortKey, last.seq];
  lane.pendingCount -= taken.length;
  lane.inFlightCount = taken.length;
}

/**
 * The greatest request body that a destination takes: what the profile says, until an answer 413 shows that it is less.
 * A body is then at most half of the one that was too large, or as large as the largest that was taken.
 */
export class ByteLimit {
  #max: number;
  #takenMax = 0;
  readonly #onLearn: (bytes: number) => void;

  /**
   * @param onLearn called with every lower limit: later runs begin with it.
   */
  constructor(max: number, onLearn: (bytes: number) => void = () => {}) {
    this.#max = max;
    this.#onLearn = onLearn;
  }

  get max(): number {
    return this.#max;
  }

  noteTaken(bytes: number): void {
    this.#takenMax = Math.max(this.#takenMax, bytes);
  }

  noteTooLarge(bytes: number): void {
    // A destination that took more before has changed its mind, or something before it has.
    if (this.#takenMax >= bytes) this.#takenMax = 0;
    const learned = Math.max(this.#takenMax, Math.floor(bytes / 2));
    if (learned >= this.#max) return;
    this.#max = learned;
    this.#onLearn(learned);
  }
}

/** Rows in their order, in two parts of about as many bytes. Neither is empty where there are two rows. */
export function halvesByBytes(rows: readonly LaneRow[]): [readonly LaneRow[], readonly LaneRow[]] {
  const half = rows.reduce((sum, { bytes }) => sum + bytes, 0) / 2;
  let end = 0;
  for (let bytes = 0; bytes + rows[end]!.bytes < half; end++) bytes += rows[end]!.bytes;
  end = Math.min(Math.max(end, 1), rows.length - 1);
  return [rows.slice(0, end), rows.slice(end)];
}

/** Neither is empty if there are two rows. */
export function halvesByCount(rows: readonly LaneRow[]): [readonly LaneRow[], readonly LaneRow[]] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}
