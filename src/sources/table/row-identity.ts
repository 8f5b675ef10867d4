import { sha256Base32 } from '../../lib/hash.ts';

/** Characters of a made id: 130 bits. */
const idLength = 26;

/** Ids that are remembered, for telling equal rows apart: some 10 MB. */
const rememberedMax = 100_000;

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
    const count = (this.#counts.get(hash) ?? 0) + 1;
    // Taken out and put in again, so that the oldest is the one that is forgotten.
    this.#counts.delete(hash);
    this.#counts.set(hash, count);
    if (this.#counts.size > rememberedMax) this.#counts.delete(this.#counts.keys().next().value!);
    return count === 1 ? hash : `${hash}-${count}`;
  }

  beginFile(): void {
    this.#counts.clear();
  }
}

/** A number that a spreadsheet has shortened: 1.23457E+17. The digits that it stands for are lost. */
export const isShortened = (text: string): boolean => text.includes('E+') && /^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(text);

/** What is said of an id that a spreadsheet has shortened. */
export const shortenedReason = (what: string, text: string): string =>
  `A spreadsheet has shortened the ${what} to "${text}", and its other digits are lost: export it again without opening and saving it there`;
