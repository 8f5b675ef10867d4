/** Slots of 16 bytes: two numbers that stand for the key, its first value, and how often another one came. */
const width = 4;
const slotsMin = 1 << 10;

/**
 * Keys that come with more than one value, among any number of keys. Holds what it needs for half a million (16 MB, twice that while it grows); of
 * more it keeps every second, fourth, eighth key, by a hash, so that all that comes of a key that it keeps is seen: then the counts are estimates.
 */
export class DifferingValues {
  readonly #slotsMax: number;
  #slots = new Uint32Array(slotsMin * width);
  #size = 0;
  /** Keys are kept whose second number ends in so many zeros. */
  #level = 0;

  /** @param slotsMax A power of two: at most half of them are taken. */
  constructor(slotsMax = 1 << 20) {
    this.#slotsMax = slotsMax;
  }

  /** @param key Two whole numbers of 32 bits each that are well mixed. @returns Whether its first value was another. */
  add(first: number, second: number, value: number): boolean {
    if (!this.#isKept(second)) return false;
    const at = this.#find(this.#slots, first, second);
    const slots = this.#slots;
    if (slots[at] !== 0 || slots[at + 1] !== 0) {
      const isOther = slots[at + 2] !== value >>> 0;
      if (isOther) slots[at + 3]!++;
      return isOther;
    }
    slots[at] = first;
    slots[at + 1] = second;
    slots[at + 2] = value;
    if (++this.#size * 2 > this.#slots.length / width) this.#grow();
    return false;
  }

  /** How often a key came with another value than its first, and how many such keys there are. */
  counts(): { readonly times: number; readonly keys: number; readonly isExact: boolean } {
    let [times, keys] = [0, 0];
    for (let at = 3; at < this.#slots.length; at += width) {
      times += this.#slots[at]!;
      if (this.#slots[at]! > 0) keys++;
    }
    const scale = 2 ** this.#level;
    return { times: times * scale, keys: keys * scale, isExact: this.#level === 0 };
  }

  #isKept(second: number): boolean {
    return (second & ((1 << this.#level) - 1)) === 0;
  }

  #find(slots: Uint32Array, first: number, second: number): number {
    const last = slots.length / width - 1;
    let slot = first & last;
    for (;;) {
      const at = slot * width;
      if (slots[at] === first >>> 0 && slots[at + 1] === second >>> 0) return at;
      if (slots[at] === 0 && slots[at + 1] === 0) return at;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const before = this.#slots;
    const count = before.length / width;
    if (count >= this.#slotsMax) this.#level++;
    this.#slots = new Uint32Array(Math.min(count * 2, this.#slotsMax) * width);
    this.#size = 0;
    for (let from = 0; from < before.length; from += width) {
      const [first, second] = [before[from]!, before[from + 1]!];
      if ((first === 0 && second === 0) || !this.#isKept(second)) continue;
      this.#slots.set(before.subarray(from, from + width), this.#find(this.#slots, first, second));
      this.#size++;
    }
  }
}
