import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SourceError, UsageError } from '../lib/errors.ts';
import { unpackChunk } from './item-packing.ts';
import type { ItemChunk, ReadRequest } from './read-items.ts';
import type { ThreadMessage } from './reading-thread.ts';

/** The same folder holds the thread's file, as source or as built. */
const threadUrl = new URL(`./reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Reads and maps in another thread, so that one core reads while the other writes. Yields what `readItems` would, in
 * the same order. Leaving the loop, or the signal, ends the thread.
 *
 * @throws SourceError, UsageError as reading here would.
 */
export async function* readInThread(request: ReadRequest, signal: AbortSignal): AsyncGenerator<ItemChunk> {
  const worker = new Worker(threadUrl, {
    workerData: request,
    // A small young generation: half the memory of the default, as fast (measured). In MiB.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  try {
    const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[ThreadMessage]>;
    for await (const [message] of messages) {
      if (message.type === 'end') return;
      if (message.type === 'failed') throw errorOf(message);
      yield unpackChunk(message.chunk);
      worker.postMessage('written');
    }
    throw new Error('The reading thread ended before it had read everything');
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** The error as it was thrown there, as far as it can cross. */
function errorOf({ name, message, hint, stack }: Extract<ThreadMessage, { type: 'failed' }>): Error {
  const details = hint === undefined ? {} : { hint };
  if (name === 'SourceError') return new SourceError(message, details);
  if (name === 'UsageError') return new UsageError(message, details);
  return Object.assign(new Error(message), { stack });
}
