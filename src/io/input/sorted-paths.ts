/** The paths of an input, sorted by code unit, and the index of each: found without a second copy in a Map. */
export class SortedPaths {
  readonly list: readonly string[];
  /** Index at which the last search ended: inputs are mostly read in order, each path a few times in a row. */
  #last = 0;

  /** @param list Sorted, each path once. */
  constructor(list: readonly string[]) {
    this.list = list;
  }

  indexOf(path: string): number {
    if (this.list[this.#last] === path) return this.#last;
    const index = this.list[this.#last + 1] === path ? this.#last + 1 : this.#search(path);
    if (index >= 0) this.#last = index;
    return index;
  }

  #search(path: string): number {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.list[middle]! < path) low = middle + 1;
      else high = middle;
    }
    return this.list[low] === path ? low : -1;
  }
}
