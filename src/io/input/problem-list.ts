import type { InputProblem } from './export-input.ts';

/** An archive made of nothing but bad names must not fill the memory with reasons. */
const listedMax = 10_000;

/** Collects what was noticed while listing an input: the first 10,000 one by one, the others as a number. */
export class ProblemList {
  readonly #listed: InputProblem[] = [];
  #more = 0;

  add(code: string, reason: string, path: string): void {
    if (this.#listed.length < listedMax) this.#listed.push({ code, reason, location: { path } });
    else this.#more += 1;
  }

  /** @param label Stands as the location of "and more": they have no single one. */
  all(label: string): readonly InputProblem[] {
    if (this.#more === 0) return this.#listed;
    const reason = `${this.#more} more files cannot be read; the first ${listedMax} are listed`;
    return [...this.#listed, { code: 'more-problems', reason, location: { path: label } }];
  }
}
