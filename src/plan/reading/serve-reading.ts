import { on, once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { openExport } from '../../io/input/open-export.ts';
import { describeOpened } from '../choose-source.ts';
import { rowFinisher, shareFinisher } from './finish-rows.ts';
import { packEntries } from './packed-entries.ts';
import { packSteps } from './packed-steps.ts';
import { type EntryList, listsPerNote, type ReadRequest, type ThreadMessage, type ThreadTask } from './protocol.ts';
import { readEntriesHere } from './read-entries.ts';
import { describeListing } from './share.ts';

/** Lists that were sent and not yet taken: memory stays flat however slow the writer is. */
const listsAheadMax = 16;
/** The same of long lists, by characters or bytes: whoever takes them says so of every fourth. */
const longListsAheadMax = listsPerNote;
const longList = 512 * 1024;

/**
 * The other end of `ReadingThread`: opens the exports at once, reads when it is told what, and maps where it is told how.
 *
 * Reads on its own, in its own memory; whoever gets the lists says how many it has taken.
 */
export async function serveReading(port: MessagePort): Promise<void> {
  const post = (message: ThreadMessage) => port.postMessage(message);
  try {
    await serve(port, post);
    post({ type: 'end' });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
    post({ type: 'failed', name, message, hint, stack });
  }
}

async function serve(port: MessagePort, post: (message: ThreadMessage) => void): Promise<void> {
  const orders = on(port, 'message');
  /** Those that were sent before are kept. */
  const nextOrder = async () => (await orders.next()).value?.[0] as unknown;
  const { exports, source, isShared } = (await nextOrder()) as ThreadTask;
  const inputs = await openExport(exports);
  try {
    const opened = await describeOpened(inputs, source);
    post({ type: 'opened', exports: isShared ? { ...opened, listing: await describeListing(inputs) } : opened });
    const request = (await nextOrder()) as ReadRequest;
    const ahead: number[] = [];
    port.on('message', (takenCount: number) => void ahead.splice(0, takenCount));
    const isFarAhead = () =>
      ahead.length >= listsAheadMax ||
      (ahead.length >= longListsAheadMax && ahead.reduce((sum, length) => sum + length) > longListsAheadMax * longList);
    await orders.return!();
    const packed = packer(request);
    for await (const list of readEntriesHere(inputs, request, new AbortController().signal)) {
      const sent = packed(list);
      if (!sent) continue;
      port.postMessage(sent.message, sent.handedOver);
      ahead.push(sent.length);
      while (isFarAhead()) await once(port, 'message');
    }
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

interface Sent {
  readonly message: ThreadMessage;
  readonly handedOver: ArrayBuffer[];
  readonly length: number;
}

/** What is sent of a list: entries, or what became of them; nothing of one that another thread hands on. */
function packer({ mapping, share }: ReadRequest): (given: EntryList) => Sent | undefined {
  if (!mapping) {
    return (given) => {
      const list = packEntries(given);
      return { message: { type: 'entries', list }, handedOver: [], length: lengthOf(list) };
    };
  }
  const finish = share ? shareFinisher(mapping) : rowFinisher(mapping);
  return (given) => {
    const finished = finish(given);
    if (given.isKnownOnly) return undefined;
    const list = packSteps(finished);
    const { rows } = list;
    const length = lengthOf(list) + (rows?.text.length ?? 0);
    return {
      message: { type: 'steps', list },
      handedOver: rows ? [rows.text.buffer, rows.numbers.buffer] : [],
      length,
    };
  };
}

const lengthOf = ({ json, words }: { readonly json: string; readonly words: readonly string[] }): number =>
  words.reduce((sum, { length }) => sum + length, json.length);
