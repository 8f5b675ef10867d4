import type { Fetched } from './fetched.ts';

interface Shared {
  readonly stop: AbortController;
  readonly result: Promise<Fetched>;
  users: number;
  /** Set when no caller wants the file any more. Until this is done, the address is not fetched again. */
  ending?: Promise<void>;
}

/** One for all: making an error costs more than many a file. */
const unwanted = new Error('No caller needs it any more');

/**
 * Lets callers that want the same address at once share one file: it is fetched once, and dropped when all of them have
 * released it. A caller leaves when its signal is aborted. When all have left, the fetch itself is stopped.
 */
export class SharedFetches {
  readonly #running = new Map<string, Shared>();
  #isClosed = false;

  /** @param start Given a signal of the fetch's own. @throws the signal's reason, and what `start` throws. */
  async fetch(key: string, start: (signal: AbortSignal) => Promise<Fetched>, signal: AbortSignal): Promise<Fetched> {
    signal.throwIfAborted();
    for (let ending = this.#running.get(key)?.ending; ending; ending = this.#running.get(key)?.ending) await ending;
    signal.throwIfAborted();
    if (this.#isClosed) throw new TypeError('Cannot fetch: the fetcher is closed');
    const shared = this.#running.get(key) ?? this.#begin(key, start);
    shared.users += 1;
    const release = once(() => this.#leave(key, shared));
    try {
      const fetched = await untilAborted(shared.result, signal);
      if (fetched.kind === 'fetched') return { ...fetched, release };
      await release();
      return fetched;
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Stops running fetches, and drops files that were not released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map(([key, shared]) => this.#drop(key, shared)));
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<Fetched>): Shared {
    const stop = new AbortController();
    const shared: Shared = { stop, result: start(stop.signal), users: 0 };
    // Callers that wait for the result receive its error. If none waits, the error is ignored.
    shared.result.catch(() => {});
    this.#running.set(key, shared);
    return shared;
  }

  async #leave(key: string, shared: Shared): Promise<void> {
    shared.users -= 1;
    if (shared.users === 0) await this.#drop(key, shared);
  }

  #drop(key: string, shared: Shared): Promise<void> {
    shared.ending ??= this.#end(key, shared);
    return shared.ending;
  }

  async #end(key: string, shared: Shared): Promise<void> {
    shared.stop.abort(unwanted);
    const fetched = await shared.result.catch(() => undefined);
    if (fetched?.kind === 'fetched') await fetched.release();
    this.#running.delete(key);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Returns the result or throws the signal's reason, whichever comes first. Leaves no listener on the signal. */
const untilAborted = <T>(result: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
