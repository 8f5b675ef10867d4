/**
 * A column of whole numbers from 0 to 2^53: four bytes each as long as all are below 2^32, eight afterwards. Most archives
 * are smaller than 4 GiB, and a large one has a million entries.
 */
export class NumberColumn {
  #values: Uint32Array | Float64Array;

  /** @param countMax Reserved as address space; the system gives memory to what is used. */
  constructor(countMax: number) {
    this.#values = new Uint32Array(countMax);
  }

  get(row: number): number {
    return this.#values[row]!;
  }

  set(row: number, value: number): void {
    if (value > 0xffff_ffff && this.#values instanceof Uint32Array) this.#values = Float64Array.from(this.#values);
    this.#values[row] = value;
  }
}
