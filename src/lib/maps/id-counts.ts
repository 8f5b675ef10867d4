/**
 * Number of times each id occurred, for ids from a database: whole numbers from 1, few of which are missing. Takes four
 * bytes for each id up to the greatest, while a map of numbers takes some forty.
 */
export class IdCounts {
  #counts = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number, times = 1): void {
    if (id >= this.#counts.length) this.#grow(id);
    if (this.#counts[id] === 0) this.#size++;
    this.#counts[id]! += times;
  }

  has(id: number): boolean {
    return this.of(id) > 0;
  }

  /** How often it came. */
  of(id: number): number {
    return this.#counts[id] ?? 0;
  }

  /** The ids that came most often, most first. */
  most(max: number): { readonly id: number; readonly count: number }[] {
    const most: { id: number; count: number }[] = [];
    for (const [id, count] of this.#counts.entries()) {
      if (count === 0 || (most.length === max && count <= most.at(-1)!.count)) continue;
      most.splice(most.findLastIndex((other) => other.count >= count) + 1, 0, { id, count });
      if (most.length > max) most.pop();
    }
    return most;
  }

  /** For `addText`. */
  toText(): string {
    const last = this.#counts.findLastIndex((count) => count > 0);
    return Buffer.from(this.#counts.buffer, 0, (last + 1) * this.#counts.BYTES_PER_ELEMENT).toString('base64');
  }

  /** Adds what another one has counted, on a machine of the same byte order. */
  addText(text: string): void {
    const bytes = Buffer.from(text, 'base64');
    const counts = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    if (counts.length > this.#counts.length) this.#grow(counts.length - 1);
    for (const [id, count] of counts.entries()) {
      if (count > 0 && this.#counts[id] === 0) this.#size++;
      this.#counts[id]! += count;
    }
  }

  #grow(id: number): void {
    const counts = new Uint32Array(Math.max(id + 1, this.#counts.length * 2));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
