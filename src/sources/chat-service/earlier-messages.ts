/** Messages of one generation, about 150 bytes each: with the one before, 15 to 30 MB. */
const generationSize = 100_000;

/**
 * Ids of the messages before the one at hand, by muid: an earlier import names the root of a thread and a quoted message by
 * muid. Knows the last 100,000 to 200,000 of them; a thread rarely goes on for longer.
 *
 * Forgets by generations, because a map from which the oldest key is taken each time gets slow: it steps over all that is gone.
 */
export class EarlierMessages {
  #ids = new Map<string, string>();
  #older = new Map<string, string>();

  add(muid: string, id: string): void {
    if (this.#ids.size >= generationSize) {
      this.#older = this.#ids;
      this.#ids = new Map();
    }
    this.#ids.set(muid, id);
  }

  idOf(muid: string): string | undefined {
    return this.#ids.get(muid) ?? this.#older.get(muid);
  }
}
