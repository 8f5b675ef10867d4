import type { LaneRow } from './lanes.ts';

/**
 * The greatest request body that a destination takes: what the profile says, until an answer 413 shows that it is less.
 * A body is then at most half of the one that was too large, or as large as the largest that was taken.
 */
export class ByteLimit {
  #max: number;
  #takenMax = 0;
  readonly #onLearn: (bytes: number) => void;

  /** @param onLearn told of every lower limit: later runs begin with it. */
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
