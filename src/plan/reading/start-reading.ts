import { on } from 'node:events';
import { existsSync } from 'node:fs';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { unpackEntries } from './packed-entries.ts';
import { unpackSteps } from './packed-steps.ts';
import type { EntryList, OpenedExports, ReadRequest, StepList, ThreadMessage, ThreadOrder } from './protocol.ts';
import { hasLargeFile, readingThreads } from './reading-worker.ts';

/** A thread that opens exports while its maker does something else, and reads them when it is asked to. */
export interface ReadingThread {
  /** First, and once. @throws SourceError, UsageError */
  opened(): Promise<OpenedExports>;
  /**
   * What `readEntriesHere` would yield, mapped where the request says how. Once. Leaving the loop, or the signal, ends the thread.
   *
   * @throws SourceError, UsageError as reading here would.
   */
  read(request: ReadRequest, signal: AbortSignal): AsyncGenerator<EntryList | StepList>;
  /** For a thread that was not asked to read after all. */
  close(): Promise<void>;
}

/**
 * @param exports Folders, archives and files, as the user named them.
 * @param source Name of a source; detected where absent.
 */
export function startReading(
  exports: readonly string[],
  source: string | undefined,
  threads = readingThreads(),
): ReadingThread {
  const worker = threads.start();
  const messages = on(worker, 'message', { close: ['exit'] }) as AsyncIterableIterator<[ThreadMessage]>;
  const post = (order: ThreadOrder) => worker.postMessage(order);
  post({ exports, source, isShared: threads.count > 1 });
  const close = async () => void (await worker.terminate());
  /** The next thing that it says. */
  const receive = async () => {
    const { value, done } = await messages.next();
    if (done) throw new Error('The reading thread ended before it had read everything');
    const [message] = value;
    if (message.type === 'failed') throw errorOf(message);
    return message;
  };
  let opening: Promise<OpenedExports> | undefined;
  const opened = () => {
    opening ??= receive().then((message) => {
      if (message.type === 'opened') return message.exports;
      throw new Error(`The reading thread began with "${message.type}"`);
    });
    return opening;
  };
  return {
    close,
    opened,
    async *read(request, signal) {
      const onAbort = () => void close();
      signal.addEventListener('abort', onAbort);
      try {
        signal.throwIfAborted();
        await opened();
        post(request);
        for (;;) {
          const message = await receive();
          if (message.type === 'entries') for (const list of message.lists) yield unpackEntries(list);
          else if (message.type === 'steps') for (const list of message.lists) yield unpackSteps(list);
          else break;
          post('taken');
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', onAbort);
        await close();
      }
    },
  };
}

/** The error as it was thrown there, as far as it can cross. */
function errorOf({ name, message, hint, stack }: Extract<ThreadMessage, { type: 'failed' }>): Error {
  if (name === 'SourceError') return new SourceError(message, { hint });
  if (name === 'UsageError') return new UsageError(message, { hint });
  return Object.assign(new Error(message), { stack });
}

export interface AheadRequest {
  readonly exports: readonly string[];
  readonly source?: string | undefined;
  /** Path of the store. Where there is none yet, everything will be read. */
  readonly store: string;
  /** Threads that read, at most. */
  readonly threads?: number | undefined;
}

/**
 * Opens large exports in a thread before the rest of the program is loaded, which saves half a second of the first plan.
 * So this imports next to nothing.
 *
 * @returns The caller's to close, whatever becomes of the plan. Undefined where reading ahead is not worth it.
 */
export function readAhead({ exports, source, store, threads: count }: AheadRequest): ReadingThread | undefined {
  const threads = readingThreads(count);
  const isWorthIt = threads.count > 0 && !existsSync(store) && hasLargeFile(exports, threads);
  return isWorthIt ? startReading(exports, source, threads) : undefined;
}
