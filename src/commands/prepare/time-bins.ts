/** Bins of equal width for everything that is counted. */
const binCount = 32;
const dayMs = 86_400_000;

/**
 * How often something happened over time, for many things on one axis: 32 bins for each, 128 bytes. They are a day wide at first, and twice as
 * wide whenever a time lies outside.
 */
export class TimeBins {
  #counts = new Uint32Array(64 * binCount);
  #rows = 0;
  #widthMs = dayMs;
  /** Start of the first bin: a multiple of the width. Undefined until something was added. */
  #startMs: number | undefined;

  add(row: number, atMs: number): void {
    this.#startMs ??= Math.floor(atMs / this.#widthMs) * this.#widthMs;
    while (atMs < this.#startMs || atMs >= this.#startMs + binCount * this.#widthMs) this.#widen(atMs);
    this.#rows = Math.max(this.#rows, row + 1);
    while (this.#rows * binCount > this.#counts.length) {
      const larger = new Uint32Array(this.#counts.length * 2);
      larger.set(this.#counts);
      this.#counts = larger;
    }
    const bin = Math.floor((atMs - this.#startMs) / this.#widthMs);
    this.#counts[row * binCount + bin]!++;
  }

  /** Returns the counts of each thing, from the first bin that anything is in to the last. */
  list(): (row: number) => readonly number[] {
    const used = Array.from({ length: binCount }, () => false);
    for (const [index, count] of this.#counts.entries()) if (count > 0) used[index % binCount] = true;
    const [from, to] = [used.indexOf(true), used.lastIndexOf(true) + 1];
    return (row) => (from === -1 ? [] : [...this.#counts.subarray(row * binCount + from, row * binCount + to)]);
  }

  #widen(atMs: number): void {
    const [before, widthMs] = [this.#startMs!, this.#widthMs * 2];
    const endMs = Math.ceil((before + binCount * this.#widthMs) / widthMs) * widthMs;
    const startMs = atMs < before ? endMs - binCount * widthMs : Math.floor(before / widthMs) * widthMs;
    for (let row = 0; row < this.#rows; row++) {
      const counts = this.#counts.subarray(row * binCount, row * binCount + binCount);
      const wider = new Uint32Array(binCount);
      for (let bin = 0; bin < binCount; bin++)
        wider[Math.floor((before + bin * this.#widthMs - startMs) / widthMs)]! += counts[bin]!;
      counts.set(wider);
    }
    this.#startMs = startMs;
    this.#widthMs = widthMs;
  }
}
