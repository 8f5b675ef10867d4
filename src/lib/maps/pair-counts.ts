/** The two numbers, and how often they came. */
const width = 3;

/** How often two numbers from 0 came together. Takes 24 to 48 bytes a pair, and half as much again while it grows. */
export class PairCounts {
  #slots = new Uint32Array(1024 * width);
  #size = 0;

  add(first: number, second: number): void {
    const at = this.#find(first, second);
    const slots = this.#slots;
    if (slots[at + 2]!++ > 0) return;
    slots[at] = first;
    slots[at + 1] = second;
    if (++this.#size * 2 > slots.length / width) this.#grow();
  }

  get size(): number {
    return this.#size;
  }

  /** In the order of the first, then the second. Takes another 8 bytes a pair. */
  *sorted(): Generator<readonly [first: number, second: number, count: number]> {
    let width = 1;
    for (const [, second] of this) width = Math.max(width, second + 1);
    const keys = Float64Array.from(this, ([first, second]) => first * width + second).sort();
    for (const key of keys) {
      const [first, second] = [Math.floor(key / width), key % width];
      yield [first, second, this.#slots[this.#find(first, second) + 2]!];
    }
  }

  *[Symbol.iterator](): Generator<readonly [first: number, second: number, count: number]> {
    for (let at = 0; at < this.#slots.length; at += width) {
      const [first, second, count] = this.#slots.subarray(at, at + width);
      if (count! > 0) yield [first!, second!, count!];
    }
  }

  #find(first: number, second: number): number {
    const slots = this.#slots;
    const last = slots.length / width - 1;
    const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & last;
    for (;;) {
      const at = slot * width;
      if (slots[at + 2] === 0 || (slots[at] === first && slots[at + 1] === second)) return at;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let from = 0; from < before.length; from += width)
      if (before[from + 2]! > 0)
        this.#slots.set(before.subarray(from, from + width), this.#find(before[from]!, before[from + 1]!));
  }
}
