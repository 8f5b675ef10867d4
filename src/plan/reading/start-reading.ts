import { on } from 'node:events';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { unpackEntries } from './packed-entries.ts';
import type { EntryList, OpenedExports, ReadRequest, ThreadMessage, ThreadOrder } from './protocol.ts';
import { takeWorker } from './reading-worker.ts';

/** Lists that are taken before the thread is told so: each telling wakes it, which costs more than reading some rows. */
const listsPerTelling = 4;

/** A thread that opens exports while its maker does something else, and reads them when it is asked to. */
export interface ReadingThread {
  /** First, and once. @throws SourceError, UsageError */
  opened(): Promise<OpenedExports>;
  /**
   * What `readEntriesHere` would yield. Once. Leaving the loop, or the signal, ends the thread.
   *
   * @throws SourceError, UsageError as reading here would.
   */
  read(request: ReadRequest, signal: AbortSignal): AsyncGenerator<EntryList>;
  /** For a thread that was not asked to read after all. */
  close(): Promise<void>;
}

/**
 * @param exports Folders, archives and files, as the user named them.
 * @param source Name of a source; detected where absent.
 */
export function startReading(exports: readonly string[], source: string | undefined): ReadingThread {
  const worker = takeWorker();
  const messages = on(worker, 'message', { close: ['exit'] }) as AsyncIterableIterator<[ThreadMessage]>;
  const tell = (order: ThreadOrder) => worker.postMessage(order);
  tell({ exports, source });
  const close = async () => void (await worker.terminate());
  /** The next thing that it says. */
  const hear = async () => {
    const { value, done } = await messages.next();
    if (done) throw new Error('The reading thread ended before it had read everything');
    const [message] = value;
    if (message.type === 'failed') throw errorOf(message);
    return message;
  };
  let opening: Promise<OpenedExports> | undefined;
  const opened = () => {
    opening ??= hear().then((message) => {
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
        tell(request);
        let takenCount = 0;
        for (let message = await hear(); message.type === 'entries'; message = await hear()) {
          yield unpackEntries(message.list);
          if (++takenCount < listsPerTelling) continue;
          tell(takenCount);
          takenCount = 0;
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
