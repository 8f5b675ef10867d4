/** For going on with a file that has grown. */
export interface DescribedState {
  readonly described: readonly string[];
  readonly named: readonly string[];
}

/**
 * Who and what was described so far, and who was only named: about 100 bytes for each person and conversation.
 *
 * A plan takes lines in their order: a message that comes before the description of its author knows the author by id
 * alone. That deserves a word.
 */
export class Described {
  readonly #described: Set<string>;
  readonly #named: Set<string>;

  constructor({ described, named }: DescribedState = { described: [], named: [] }) {
    this.#described = new Set(described);
    this.#named = new Set(named);
  }

  state(): DescribedState {
    return { described: [...this.#described], named: [...this.#named] };
  }

  /** A message names it. */
  name(id: string): void {
    if (!this.#described.has(id)) this.#named.add(id);
  }

  /** @returns Whether messages named it before. */
  describe(id: string): boolean {
    this.#described.add(id);
    return this.#named.delete(id);
  }
}
