/** Node's timers fire at once if they are set to more. */
const timerMaxMs = 2 ** 31 - 1;

const outOfTime = new Error('Out of time');

/**
 * Work with a signal that is also aborted after `ms`.
 *
 * `AbortSignal.any` with `AbortSignal.timeout` would keep 0.7 KB until the time is over, also if the work is done (Node 26): with an hour for each
 * of 100,000 files, 70 MB.
 *
 * @returns An error if the time ended the work. @throws what the work throws.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Error> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(outOfTime), Math.min(ms, timerMaxMs));
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    if (error === outOfTime) return outOfTime;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Work that is not worth waiting for if the run is to stop.
 *
 * @returns False if `stopping` ended it. @throws the reason of the other signal, and what the work throws.
 */
export async function unlessStopping(
  stopping: AbortSignal | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  try {
    await work(stopping ? AbortSignal.any([signal, stopping]) : signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (stopping?.aborted) return false;
    throw error;
  }
}
