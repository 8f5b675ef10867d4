/** Values that cost much to find: those that were used last, at most `max`. */
export class LastUsed<Key, Value> {
  readonly #max: number;
  readonly #held = new Map<Key, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) this.set(key, held);
    return held;
  }

  /** Returns the kept value, or else the result of `load`: it is kept from then on, unless it is undefined. */
  find<Found extends Value | undefined>(key: Key, load: () => Found): Value | Found {
    const held = this.get(key);
    if (held !== undefined) return held;
    const found = load();
    if (found !== undefined) this.set(key, found);
    return found;
  }

  set(key: Key, value: Value): void {
    this.#held.delete(key);
    this.#held.set(key, value);
    if (this.#held.size > this.#max) this.#held.delete(this.#held.keys().next().value!);
  }

  delete(key: Key): void {
    this.#held.delete(key);
  }

  clear(): void {
    this.#held.clear();
  }
}
