import { sha256Base32 } from '../../lib/hash.ts';

/** Characters of a made id: 130 bits. */
const idLength = 26;

/** Characters of such an id that tell it from others: 100 bits. */
const keyLength = 20;

/** Ids that are remembered, for telling equal rows apart: some 10 MB. */
const rememberedMax = 100_000;

/** What is remembered, for going on with a file that has grown. */
export interface RowIdentityState {
  /** Beginnings of ids, one behind another, the oldest first. */
  readonly keys: string;
  /** Those that came more than once. */
  readonly repeats: readonly (readonly [key: string, count: number])[];
}

/**
 * Ids for rows that have none: a hash of what the row says, and a number from the second equal row on. So the same row
 * has the same id in the next export, where rows were added before or after it.
 *
 * Equal rows with 100,000 other rows between them get the same id: they are one message that stands in the file twice.
 */
export class RowIdentity {
  readonly #counts = new Map<string, number>();

  /** @param cells The row's decisive values as they stand in the file: conversation, author, time, text. */
  idOf(cells: readonly (string | undefined)[]): string {
    const hash = sha256Base32(JSON.stringify(cells.map((cell) => cell ?? null)), idLength);
    const key = hash.slice(0, keyLength);
    const count = (this.#counts.get(key) ?? 0) + 1;
    // Taken out and put in again, so that the oldest is the one that is forgotten.
    this.#counts.delete(key);
    this.#counts.set(key, count);
    if (this.#counts.size > rememberedMax) this.#counts.delete(this.#counts.keys().next().value!);
    return count === 1 ? hash : `${hash}-${count}`;
  }

  beginFile(state?: RowIdentityState): void {
    this.#counts.clear();
    if (state === undefined) return;
    const repeats = new Map(state.repeats);
    for (let at = 0; at < state.keys.length; at += keyLength) {
      const key = state.keys.slice(at, at + keyLength);
      this.#counts.set(key, repeats.get(key) ?? 1);
    }
  }

  /** At most 2 MB. */
  state(): RowIdentityState {
    return { keys: [...this.#counts.keys()].join(''), repeats: [...this.#counts].filter(([, count]) => count > 1) };
  }
}

/** A number that a spreadsheet has shortened: 1.23457E+17. The digits that it stands for are lost. */
export const isShortened = (text: string): boolean => text.includes('E+') && /^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(text);

/** What is said of an id that a spreadsheet has shortened. */
export const shortenedReason = (what: string, text: string): string =>
  `A spreadsheet has shortened the ${what} to "${text}", and its other digits are lost: export it again without opening and saving it there`;
