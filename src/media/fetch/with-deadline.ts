/** Node's timers fire at once beyond it. */
const timerMaxMs = 2 ** 31 - 1;

/** Why work was stopped whose time was over. */
const outOfTime = new Error('Out of time');

/**
 * Work that gets a signal of its own: aborted by the other one, with its reason, and after `ms`. Nothing stays behind at the
 * other signal, which may live as long as the run.
 *
 * @returns An error where the time is what ended it. @throws what the work throws.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Error> {
  const own = new AbortController();
  const onAbort = () => own.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => own.abort(outOfTime), Math.min(ms, timerMaxMs));
  try {
    return await work(own.signal);
  } catch (error) {
    if (error === outOfTime) return outOfTime;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Work that is not worth waiting for when somebody stops.
 *
 * @returns False where `stopping` is what ended it. @throws the reason of the other signal, and what the work throws.
 */
export async function unlessStopping(
  stopping: AbortSignal | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  const own = new AbortController();
  const onAbort = () => own.abort();
  if (signal.aborted || stopping?.aborted) onAbort();
  for (const other of [signal, stopping]) other?.addEventListener('abort', onAbort, { once: true });
  try {
    await work(own.signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (stopping?.aborted) return false;
    throw error;
  } finally {
    for (const other of [signal, stopping]) other?.removeEventListener('abort', onAbort);
  }
}
