import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openExport } from '../io/open-export.ts';
import { ChatferryError } from '../lib/errors.ts';
import { chooseSource } from './choose-source.ts';
import { type PackedChunk, packChunk } from './item-packing.ts';
import { type ReadRequest, readItems } from './read-items.ts';

/** What the thread says: a chunk, the end, or why it cannot go on. */
export type ThreadMessage =
  | { readonly type: 'chunk'; readonly chunk: PackedChunk }
  | { readonly type: 'end' }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly hint: string | undefined;
      readonly stack: string | undefined;
    };

/** Chunks that may be on their way and not yet written: memory stays flat however slow the writer is. */
export const chunksAheadMax = 6;

const port = parentPort!;

/** Reads on its own, in its own memory; the other thread answers every chunk when it is written. */
async function run(request: ReadRequest): Promise<void> {
  const inputs = await openExport(request.exports);
  try {
    const adapter = await chooseSource(inputs, request.source);
    let chunksAhead = 0;
    port.on('message', () => chunksAhead--);
    for await (const chunk of readItems(inputs, adapter, request, new AbortController().signal)) {
      port.postMessage({ type: 'chunk', chunk: packChunk(chunk) } satisfies ThreadMessage);
      chunksAhead++;
      while (chunksAhead >= chunksAheadMax) await once(port, 'message');
    }
    port.postMessage({ type: 'end' } satisfies ThreadMessage);
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

await run(workerData as ReadRequest).catch((error: unknown) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = error instanceof ChatferryError ? error.hint : undefined;
  port.postMessage({ type: 'failed', name, message, hint, stack } satisfies ThreadMessage);
});
