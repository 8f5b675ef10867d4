import { sha256Base32 } from '../../../lib/hash.ts';
import { RecentKeys } from './recent-keys.ts';

/** Characters of a made id: 130 bits. */
const idLength = 26;

/** Ids that are remembered, for telling equal rows apart: some 10 MB. */
const rememberedMax = 100_000;

/**
 * Ids for rows that have none: a hash of the row's content, and a number from the second equal row on. So the same row
 * has the same id in the next export, even if rows were added before or after it.
 *
 * const id = identity.idOf([room, author, time, text]); // 'k3v…', the second time 'k3v…-2'
 *
 * Pass raw cells: a converted text or a time in a zone of the mapping would change the ids whenever either changes. Use
 * one object for each file (or call `beginFile`), so that the result for a file does not depend on other files.
 *
 * Equal rows with 100,000 other rows between them get the same id: they are one message that is in the file twice.
 */
export class RowIdentity {
  readonly #keys = new RecentKeys(rememberedMax);

  /**
   * @param cells The row's identifying values, unchanged from the file: conversation, author, time, text.
   */
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
 * Returns the `sortKey` of a row in a file with ordered rows: within one millisecond first by nanoseconds, then by
 * position in the file.
 *
 * @param nanoseconds Part below the millisecond: 0 to 999,999.
 * @param row Number of the row in its file, from 1.
 * @param isNewestFirst Whether the file begins with the latest row.
 */
export const rowSortKey = (nanoseconds: number, row: number, isNewestFirst = false): string =>
  (nanoseconds === 0 ? '000000' : digits(1_000_000 + nanoseconds)) + twelveDigits(isNewestFirst ? lastRow - row : row);

/** Numbers below 2^31 are written in half the time. */
const twelveDigits = (row: number): string =>
  row < 1_000_000_000 ? `000${digits(1_000_000_000 + row)}` : digits(1_000_000_000_000 + row);

/** Without the one in front, which keeps the zeros: several times faster than filling them up. */
const digits = (number: number): string => String(number).slice(1);
