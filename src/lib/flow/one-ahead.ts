/**
 * What is iterated, where the next one is asked for while one is looked at: a page comes while the one before it is compared. Whoever stops
 * in between has asked for one more than was looked at.
 */
export async function* oneAhead<T>(things: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = things[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // What is wrong with it is said when its turn comes.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
