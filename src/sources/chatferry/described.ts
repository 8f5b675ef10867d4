/**
 * Who and what was described so far, and who was only named: about 100 bytes for each person and conversation.
 *
 * A plan takes lines in their order: a message that comes before the description of its author knows the author by id
 * alone. That deserves a word.
 */
export class Described {
  readonly #described = new Set<string>();
  readonly #named = new Set<string>();

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
