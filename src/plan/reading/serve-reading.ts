import { on, once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { openExport } from '../../io/input/open-export.ts';
import { describeOpened } from '../choose-source.ts';
import { rowFinisher, shareFinisher } from './finish-rows.ts';
import { packEntries } from './packed-entries.ts';
import { packSteps } from './packed-steps.ts';
import type { EntryList, PackedList, PackedSteps, ReadRequest, ThreadMessage, ThreadTask } from './protocol.ts';
import { readEntriesHere } from './read-entries.ts';
import { describeListing } from './share.ts';

/** Parcels that were sent and not yet taken: memory stays flat however slow the writer is. */
const parcelsAheadMax = 3;

/**
 * The other end of `ReadingThread`: opens the exports at once, reads when it is told what, and maps where it is told how.
 *
 * Reads on its own, in its own memory; whoever gets the parcels says when each is taken.
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
    let aheadCount = 0;
    port.on('message', () => void aheadCount--);
    await orders.return!();
    const packed = packer(request);
    const parcel = new Parcel(port, request.mapping ? 'steps' : 'entries');
    for await (const list of readEntriesHere(inputs, request, new AbortController().signal)) {
      const sent = packed(list);
      if (!sent || !parcel.add(sent)) continue;
      parcel.send();
      for (aheadCount++; aheadCount >= parcelsAheadMax; ) await once(port, 'message');
    }
    parcel.send();
  } finally {
    for (const input of inputs) await input.close();
    port.removeAllListeners('message');
  }
}

/** A list as it crosses. */
interface Packed {
  readonly list: PackedList | PackedSteps;
  readonly handedOver: readonly ArrayBuffer[];
  /** Characters and bytes. */
  readonly length: number;
}

/** So much is sent together, whichever comes first: some thousand usual messages. */
const listsMax = 8;
const lengthMax = 512 * 1024;
/** Or what has gathered after so long: where few rows of large files are wanted, others see that something happens. */
const waitMaxMs = 250;

/** Lists that are sent together. */
class Parcel {
  readonly #port: MessagePort;
  readonly #type: 'entries' | 'steps';
  #lists: Packed[] = [];
  #length = 0;
  #begunMs = 0;

  constructor(port: MessagePort, type: 'entries' | 'steps') {
    this.#port = port;
    this.#type = type;
  }

  /** @returns Whether it is to be sent. */
  add(packed: Packed): boolean {
    if (this.#lists.length === 0) this.#begunMs = performance.now();
    this.#length += packed.length;
    const isFull = this.#lists.push(packed) >= listsMax || this.#length >= lengthMax;
    return isFull || performance.now() - this.#begunMs > waitMaxMs;
  }

  send(): void {
    const lists = this.#lists.map(({ list }) => list);
    if (lists.length === 0) return;
    const message = { type: this.#type, lists } as ThreadMessage;
    this.#port.postMessage(
      message,
      this.#lists.flatMap(({ handedOver }) => handedOver),
    );
    this.#lists = [];
    this.#length = 0;
  }
}

/** What is sent of a list: entries, or what became of them; nothing of one that another thread hands on. */
function packer({ mapping, share }: ReadRequest): (given: EntryList) => Packed | undefined {
  if (!mapping) {
    return (given) => {
      const list = packEntries(given);
      return { list, handedOver: [], length: lengthOf(list) };
    };
  }
  const finish = share ? shareFinisher(mapping) : rowFinisher(mapping);
  return (given) => {
    const finished = finish(given);
    if (given.isKnownOnly) return undefined;
    const list = packSteps(finished);
    const { rows } = list;
    const length = lengthOf(list) + (rows?.text.length ?? 0);
    return { list, handedOver: rows ? [rows.text.buffer, rows.numbers.buffer] : [], length };
  };
}

const lengthOf = ({ json, words }: PackedList): number => words.reduce((sum, { length }) => sum + length, json.length);
