/**
 * The other end of `ReadingThread`: opens the exports at once, and reads when it is told what.
 *
 * Reads on its own, in its own memory; whoever gets the entries says of each list that it has taken it.
 */
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadRequest } from './read-entries.ts';

/** What the thread is given when it starts. */
export interface ThreadTask {
  readonly exports: readonly string[];
  readonly compileCache: string | undefined;
}

/** What it is told: what to read, once; then `taken` for each list. */
export type ThreadOrder = ReadRequest | 'taken';

/** What it says: some entries, the end, or why it cannot go on. */
export type ThreadMessage =
  /** An `EntryList` as JSON, which crosses in a third of the time that the objects would take (measured). */
  | { readonly type: 'entries'; readonly list: string }
  | { readonly type: 'end' }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly hint: string | undefined;
      readonly stack: string | undefined;
    };

/** Lists that were sent and not yet taken: memory stays flat however slow the writer is. */
const listsAheadMax = 8;

const port = parentPort!;
const { exports, compileCache } = workerData as ThreadTask;

// Asked for before anything is loaded, so that no order is missed.
const firstOrder = once(port, 'message') as Promise<[ReadRequest]>;
// Loaded late, so that the cache serves them.
enableCompileCache(compileCache);
const { openExport } = await import('../../io/open-export.ts');
const { readEntriesHere } = await import('./read-entries.ts');

async function run(): Promise<void> {
  const opening = openExport(exports);
  // Its failure is told when it is asked for.
  opening.catch(() => {});
  const [request] = await firstOrder;
  const inputs = await opening;
  let aheadCount = 0;
  port.on('message', () => aheadCount--);
  try {
    for await (const list of readEntriesHere(inputs, request, new AbortController().signal)) {
      port.postMessage({ type: 'entries', list: JSON.stringify(list) } satisfies ThreadMessage);
      aheadCount++;
      while (aheadCount >= listsAheadMax) await once(port, 'message');
    }
    port.postMessage({ type: 'end' } satisfies ThreadMessage);
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

await run().catch((error: unknown) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  port.postMessage({ type: 'failed', name, message, hint, stack } satisfies ThreadMessage);
});
