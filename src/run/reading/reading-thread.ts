/**
 * The other end of `ReadingThread`: opens the exports at once, and reads when it is told what.
 *
 * Reads on its own, in its own memory; whoever gets the entries says how many lists it has taken.
 */
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenedExports } from './export-reader.ts';
import type { ReadRequest } from './read-entries.ts';

/** What the thread is given when it starts. */
export interface ThreadTask {
  readonly exports: readonly string[];
  readonly source: string | undefined;
  readonly compileCache: string | undefined;
}

/** What it is told: what to read, once; then how many lists were taken since it was told so last. */
export type ThreadOrder = ReadRequest | number;

/** What it says: what it has opened, then some entries at a time, then the end; or why it cannot go on. */
export type ThreadMessage =
  | { readonly type: 'opened'; readonly exports: OpenedExports }
  /** A packed `EntryList`: text crosses in a third of the time that objects would take (measured). */
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
const listsAheadMax = 32;

const port = parentPort!;
const { exports, source, compileCache } = workerData as ThreadTask;

// Asked for before anything is loaded, so that no order is missed.
const firstOrder = once(port, 'message') as Promise<[ReadRequest]>;
// Loaded late, so that the cache serves them.
enableCompileCache(compileCache);
const { openExport } = await import('../../io/open-export.ts');
const { openHere } = await import('./export-reader.ts');
const { packEntries } = await import('./packed-entries.ts');
const { readEntriesHere } = await import('./read-entries.ts');

async function run(): Promise<void> {
  const inputs = await openExport(exports);
  try {
    say({ type: 'opened', exports: await openHere(inputs, source) });
    const [request] = await firstOrder;
    let aheadCount = 0;
    port.on('message', (takenCount: number) => (aheadCount -= takenCount));
    for await (const list of readEntriesHere(inputs, request, new AbortController().signal)) {
      say({ type: 'entries', list: packEntries(list) });
      aheadCount++;
      while (aheadCount >= listsAheadMax) await once(port, 'message');
    }
    say({ type: 'end' });
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

function say(message: ThreadMessage): void {
  port.postMessage(message);
}

await run().catch((error: unknown) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  say({ type: 'failed', name, message, hint, stack });
});
