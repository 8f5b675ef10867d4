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
