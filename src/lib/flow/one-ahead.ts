/**
 * Iterates while it already requests the next item: a page arrives while the one before it is compared. A consumer that
 * stops early has requested one item more than it got.
 */
export async function* oneAhead<T>(things: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = things[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // An error of the next item is thrown when its turn comes.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
