/** Values that are kept: some MB of most kinds. */
const heldMax = 20_000;

/** Recently looked-up values. For values that can be found again at any time, and are needed many times in a row. */
export class Recent<Key, Value> {
  readonly #find: (key: Key) => Value;
  readonly #held = new Map<Key, Value>();

  constructor(find: (key: Key) => Value) {
    this.#find = find;
  }

  get(key: Key): Value {
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    const found = this.#find(key);
    this.set(key, found);
    return found;
  }

  /** Stores a value that is already known, which saves a lookup. */
  set(key: Key, value: Value): void {
    // All at once: what is still wanted is found again, and no order has to be kept.
    if (this.#held.size >= heldMax) this.#held.clear();
    this.#held.set(key, value);
  }
}
