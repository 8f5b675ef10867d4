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
