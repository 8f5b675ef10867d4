/**
 * The other end of `ReadingThread`: opens the exports at once, and reads when it is told what.
 *
 * Reads on its own, in its own memory; whoever gets the entries says how many lists it has taken.
 */
import { on, once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { openExport } from '../../io/input/open-export.ts';
import { type OpenedExports, openHere } from './export-reader.ts';
import { type PackedList, packEntries } from './packed-entries.ts';
import { type ReadRequest, readEntriesHere } from './read-entries.ts';

/** What to open. */
export interface ThreadTask {
  readonly exports: readonly string[];
  readonly source: string | undefined;
}

/** What it is told: what to open, once; what to read, once; then how many lists were taken since it was told so last. */
export type ThreadOrder = ThreadTask | ReadRequest | number;

/** What it says: what it has opened, then some entries at a time, then the end; or why it cannot go on. */
export type ThreadMessage =
  | { readonly type: 'opened'; readonly exports: OpenedExports }
  | { readonly type: 'entries'; readonly list: PackedList }
  | { readonly type: 'end' }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly hint: string | undefined;
      readonly stack: string | undefined;
    };

/** Lists that were sent and not yet taken: memory stays flat however slow the writer is. */
const listsAheadMax = 16;

/** In bytes. Files of less than half of this share memory: making some for each takes longer than filling it (measured). */
Buffer.poolSize = 256 * 1024;

const port = parentPort!;
const orders = on(port, 'message');
/** Those that were sent before are kept. */
const nextOrder = async () => (await orders.next()).value?.[0] as unknown;

async function run(): Promise<void> {
  const { exports, source } = (await nextOrder()) as ThreadTask;
  const inputs = await openExport(exports);
  try {
    say({ type: 'opened', exports: await openHere(inputs, source) });
    const request = (await nextOrder()) as ReadRequest;
    let aheadCount = 0;
    port.on('message', (takenCount: number) => (aheadCount -= takenCount));
    await orders.return!();
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
