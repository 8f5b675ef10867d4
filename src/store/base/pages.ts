import type { Database } from 'better-sqlite3';

/** Rows that are made in one transaction. */
const atOnce = 1000;

/**
 * The same rows, many at a time in one transaction: outside of one, SQLite locks the file for each look-up, which takes 8 µs. Nothing is
 * held while the caller has a row, so that a process that writes can empty its log. No statement may be open between two rows.
 */
export function* inTransactions<Row>(db: Database, rows: Iterable<Row>): Generator<Row> {
  const all = rows[Symbol.iterator]();
  // Without a way to close it: `take()` would do so.
  const take = db.transaction(() =>
    Iterator.from({ next: () => all.next() })
      .take(atOnce)
      .toArray(),
  );
  for (let page = take(); page.length > 0; page = take()) yield* page;
}

/**
 * Rows a page at a time, each page from behind the last row of the one before: between pages the connection may write, and
 * memory stays flat whatever their number.
 *
 * @param pageAfter Rows with a greater key, in its order; ends with an empty page.
 */
export function* inPages<Key extends string, Row extends Readonly<Record<Key, number>>>(
  key: Key,
  pageAfter: (after: number) => readonly Row[],
): Generator<Row> {
  for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)![key])) yield* page;
}

/** The pages themselves: the caller may write between them. */
export function* pagesBySeq<Row extends { readonly seq: number }>(
  pageAfter: (after: number) => readonly Row[],
): Generator<readonly Row[]> {
  for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)!.seq)) yield page;
}
