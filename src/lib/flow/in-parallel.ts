/**
 * Works through items, so many at once; pulls the next one when a place is free. The first fault ends it: what has begun
 * is waited for, nothing else begins, and it rejects with that fault.
 *
 * `map` of p-limit takes all items first and makes a promise of each: too much for the millions of rows that commands go through.
 *
 * @param stopping Aborted: no further item begins.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (!failure && !stopping.aborted) {
      try {
        const next = iterator.next();
        if (next.done) return;
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure) throw failure.error;
}

/** The items in lists of at most so many. */
export function* inLists<T>(items: Iterable<T>, countMax: number): Generator<readonly T[]> {
  let list: T[] = [];
  for (const item of items) {
    list.push(item);
    if (list.length < countMax) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}
