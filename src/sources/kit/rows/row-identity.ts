import { sha256Base32 } from '../../../lib/hash.ts';
import { RecentKeys } from './recent-keys.ts';

/** Characters of a made id: 130 bits. */
const idLength = 26;

/** Ids that are remembered, for telling equal rows apart: some 10 MB. */
const rememberedMax = 100_000;

/**
 * Ids for rows that have none: a hash of what the row says, and a number from the second equal row on. So the same row
 * has the same id in the next export, where rows were added before or after it.
 *
 *     const id = identity.idOf([room, author, time, text]); // 'k3v…', the second time 'k3v…-2'
 *
 * Give it raw cells: a converted text or a time in a zone of the mapping would make other ids after every change of either.
 * One object for each file (or `beginFile`): what a file is made into does not depend on others.
 *
 * Equal rows with 100,000 other rows between them get the same id: they are one message that stands in the file twice.
 */
export class RowIdentity {
  readonly #keys = new RecentKeys(rememberedMax);

  /** @param cells The row's decisive values as they stand in the file: conversation, author, time, text. */
  idOf(cells: readonly (string | undefined)[]): string {
    // Here a cell that is missing is null.
    const hash = sha256Base32(JSON.stringify(cells), idLength);
    const count = this.#keys.add(hash);
    return count === 1 ? hash : `${hash}-${count}`;
  }

  beginFile(): void {
    this.#keys.clear();
  }
}

/** Twelve digits: more rows than a file of 50 GB has. */
const lastRow = 999_999_999_999;

/**
 * `sortKey` of a row in a file whose rows stand in order: within one millisecond first by what is finer, then by the place in the
 * file.
 *
 * @param nanoseconds What is finer than the millisecond: 0 to 999,999.
 * @param row Number of the row in its file, from 1. @param isNewestFirst Whether the file begins with the latest row.
 */
export const rowSortKey = (nanoseconds: number, row: number, isNewestFirst = false): string =>
  (nanoseconds === 0 ? '000000' : digits(1_000_000 + nanoseconds)) +
  digits(1_000_000_000_000 + (isNewestFirst ? lastRow - row : row));

/** Without the one in front, which keeps the zeros: several times faster than filling them up. */
const digits = (number: number): string => String(number).slice(1);
