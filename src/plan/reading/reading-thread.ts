/**
 * The other end of `ReadingThread`: opens the exports at once, and reads when it is told what.
 *
 * Reads on its own, in its own memory; whoever gets the entries says how many lists it has taken.
 */
import { on, once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { openExport } from '../../io/input/open-export.ts';
import { describeOpened } from '../choose-source.ts';
import { rowFinisher } from './finish-rows.ts';
import { packEntries } from './packed-entries.ts';
import { packSteps } from './packed-steps.ts';
import { listsPerNote, type ReadRequest, type ThreadMessage, type ThreadTask } from './protocol.ts';
import { readEntriesHere } from './read-entries.ts';

/** Lists that were sent and not yet taken: memory stays flat however slow the writer is. */
const listsAheadMax = 16;
/** The same of long lists, by characters of what people wrote: whoever takes them says so of every fourth. */
const longListsAheadMax = listsPerNote;
const longList = 512 * 1024;

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
    post({ type: 'opened', exports: await describeOpened(inputs, source) });
    const request = (await nextOrder()) as ReadRequest;
    const ahead: number[] = [];
    port.on('message', (takenCount: number) => void ahead.splice(0, takenCount));
    const isFarAhead = () =>
      ahead.length >= listsAheadMax ||
      (ahead.length >= longListsAheadMax && ahead.reduce((sum, length) => sum + length) > longListsAheadMax * longList);
    await orders.return!();
    const finish = request.mapping && rowFinisher(request.mapping);
    for await (const list of readEntriesHere(inputs, request, new AbortController().signal)) {
      const packed = finish ? packSteps(finish(list)) : packEntries(list);
      post({ type: finish ? 'steps' : 'entries', list: packed });
      ahead.push(packed.words.reduce((sum, { length }) => sum + length, 0));
      while (isFarAhead()) await once(port, 'message');
    }
    post({ type: 'end' });
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

function post(message: ThreadMessage): void {
  port.postMessage(message);
}

await run().catch((error: unknown) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  post({ type: 'failed', name, message, hint, stack });
});
