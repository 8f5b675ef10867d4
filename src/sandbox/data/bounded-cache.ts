/** A map that drops the oldest entry beyond `sizeMax`. Dropped entries are read from the store again. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Returns the cached value, or else the result of `load`: it is cached from then on, unless it is undefined. */
  find<Found extends Value | undefined>(key: string, load: () => Found): Value | Found {
    const held = this.#entries.get(key);
    if (held !== undefined) return held;
    const found = load();
    if (found !== undefined) this.set(key, found);
    return found;
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.#sizeMax && !this.#entries.has(key)) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
