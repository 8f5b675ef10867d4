/** The entries that were set last: at least `kept` of them, at most twice as many. */
export class Latest<Key, Value> {
  readonly #kept: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): void {
    // Half of them at once: a Map whose first entry is deleted again and again takes longer with each to find the next.
    if (this.#newer.size >= this.#kept) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
