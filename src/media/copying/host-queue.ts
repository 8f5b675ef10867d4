/** How far ahead is looked for a file of another host, where those of one have to wait. */
const aheadMax = 1_000;

/**
 * Does work on items side by side, at most `perHost` of one host at a time, and otherwise in their order. Items are taken as they are
 * needed; up to a thousand wait for their host.
 *
 * @throws what `work` throws, once everything that had begun is over; nothing begins after it.
 */
export async function byHost<T extends { readonly host: string }>(
  items: Iterable<T>,
  {
    concurrency,
    perHost,
    signal,
  }: { readonly concurrency: number; readonly perHost: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const ahead: T[] = [];
  const busy = new Map<string, number>();
  let running = 0;
  let wake = () => {};
  let fault: { readonly error: unknown } | undefined;
  let isEnd = false;

  const isFree = ({ host }: T) => host === '' || (busy.get(host) ?? 0) < perHost;
  const next = (): T | undefined => {
    const index = ahead.findIndex(isFree);
    if (index >= 0) return ahead.splice(index, 1)[0];
    while (!isEnd && ahead.length < aheadMax) {
      const { done, value } = iterator.next();
      if (done) isEnd = true;
      else if (isFree(value)) return value;
      else ahead.push(value);
    }
    return undefined;
  };
  const start = (item: T) => {
    busy.set(item.host, (busy.get(item.host) ?? 0) + 1);
    running++;
    void work(item)
      .catch((error: unknown) => {
        fault ??= { error };
      })
      .finally(() => {
        const left = busy.get(item.host)! - 1;
        if (left > 0) busy.set(item.host, left);
        else busy.delete(item.host);
        running--;
        wake();
      });
  };

  for (;;) {
    while (running < concurrency && !fault && !signal.aborted) {
      const item = next();
      if (item === undefined) break;
      start(item);
    }
    if (running === 0) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  iterator.return?.();
  if (fault) throw fault.error;
}
