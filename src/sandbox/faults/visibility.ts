/** A moment and the greatest id that there was. */
interface Stamp {
  readonly atMs: number;
  readonly idMax: number;
}

/** Which messages are old enough to be listed, where ids ascend in the order of arrival. Holds 1,000 stamps at most. */
export class Visibility {
  readonly #delayMs: number;
  /** The first of them is the visible one. */
  #stamps: Stamp[];

  /**
   * @param delayMs more than 0.
   * @param idMax what is there now is visible at once.
   */
  constructor(delayMs: number, idMax: number) {
    this.#delayMs = delayMs;
    this.#stamps = [{ atMs: -Infinity, idMax }];
  }

  /** To be called after every message. Times are rounded up to a thousandth of the delay. */
  note(nowMs: number, idMax: number): void {
    const grainMs = this.#delayMs / 1000;
    const atMs = Math.ceil(nowMs / grainMs) * grainMs;
    const last = this.#stamps.at(-1)!;
    if (last.idMax === idMax) return;
    if (last.atMs === atMs) this.#stamps.pop();
    this.#stamps.push({ atMs, idMax });
    this.#forget(nowMs);
  }

  /** The greatest id that is visible now. */
  idMax(nowMs: number): number {
    this.#forget(nowMs);
    return this.#stamps[0]!.idMax;
  }

  #forget(nowMs: number): void {
    const firstHidden = this.#stamps.findIndex(({ atMs }) => atMs + this.#delayMs > nowMs);
    this.#stamps = this.#stamps.slice((firstHidden < 0 ? this.#stamps.length : Math.max(firstHidden, 1)) - 1);
  }
}
