/**
 * Several threads that read one export. Files are dealt out as cards are: in the order in which the source reads them, some
 * at a time, thread after thread. One such hand is a turn of its thread; whoever writes takes turns in the same order, so
 * that it gets everything as from one thread, however fast each of them is.
 *
 * Files that others refer to (people, channels) are read by all. The first thread hands them on; the others only know them.
 */
import { createHash } from 'node:crypto';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { EntryList, ReadEntry, Share } from './protocol.ts';

/** The files of one thread. */
export class Dealer {
  readonly #share: Share;
  /** Files of the input that were dealt out so far. */
  #dealtCount = 0;
  /** Of the files of this thread in this input. */
  readonly #turns = new Map<string, number>();
  /** The turn that is being read. */
  #turn = 0;
  /** The first of the input. */
  #firstTurn = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  /** Asked of each file once, in the order of reading. */
  isOwn(path: string): boolean {
    const { index, count, filesPerTurn } = this.#share;
    const hand = Math.floor(this.#dealtCount++ / filesPerTurn);
    if (hand % count !== index) return false;
    this.#turns.set(path, this.#firstTurn + Math.floor(hand / count));
    return true;
  }

  /** Cuts a list where a turn ends, and takes out what is no thread's own. */
  *cut({ input, entries }: EntryList): Generator<EntryList> {
    let list: ReadEntry[] = [];
    let isShared = false;
    let lastPath: string | undefined;
    let turn: number | undefined;
    for (const entry of entries) {
      const path = pathOf(entry);
      if (path !== lastPath) {
        lastPath = path;
        turn = this.#turns.get(path);
        if (isShared !== (turn === undefined) && list.length > 0) {
          yield this.#listOf(input, list, isShared);
          list = [];
        }
        isShared = turn === undefined;
        for (; turn !== undefined && this.#turn < turn; this.#turn++) {
          yield { input, entries: list, endsTurn: true };
          list = [];
        }
      }
      list.push(entry);
    }
    if (list.length > 0) yield this.#listOf(input, list, isShared);
  }

  /** Every thread has as many turns in an input, and one at least. */
  *endInput(input: number): Generator<EntryList> {
    const { count, filesPerTurn } = this.#share;
    const next = this.#firstTurn + Math.max(1, Math.ceil(this.#dealtCount / (filesPerTurn * count)));
    for (; this.#turn < next; this.#turn++) yield { input, entries: [], endsTurn: true };
    this.#firstTurn = next;
    this.#dealtCount = 0;
    this.#turns.clear();
  }

  #listOf(input: number, entries: readonly ReadEntry[], isShared: boolean): EntryList {
    return isShared && this.#share.index > 0 ? { input, entries, isKnownOnly: true } : { input, entries };
  }
}

const pathOf = (entry: ReadEntry): string =>
  entry.type === 'file' || entry.type === 'read-end' ? entry.path : entry.location.path;

/** Lists of several threads, turn by turn. Each is asked for its first at once: all of them read. */
export async function* inTurns<List extends { readonly endsTurn?: true }>(
  threads: readonly AsyncGenerator<List>[],
): AsyncGenerator<List> {
  const first = threads.map((lists) => lists.next());
  // Whoever waits for one must not be surprised by the fault of another: it is told when it is that one's turn.
  for (const list of first) list.catch(() => {});
  try {
    for (let turn = 0; ; turn++) {
      for (const [index, lists] of threads.entries()) {
        for (let list = turn === 0 ? await first[index]! : await lists.next(); ; list = await lists.next()) {
          if (list.done) return;
          yield list.value;
          if (list.value.endsTurn) break;
        }
      }
    }
  } finally {
    await Promise.all(threads.map((lists) => lists.return(undefined)));
  }
}

/** Files that are looked at: they stand for all. */
const sampleMax = 64;
/** Bytes of a turn, more or less: some hundred messages, much less than a thread may be ahead. */
const turnBytes = 512 * 1024;
const filesPerTurnMax = 512;

/** What threads have to agree on before they deal: the same files in the same order, as far as a sample tells the same in them. */
export async function describeListing(inputs: readonly ExportInput[]) {
  const digest = createHash('sha256');
  let [fileCount, bytes] = [0, 0];
  for (const input of inputs) {
    const paths = await input.paths();
    const step = Math.ceil(paths.length / sampleMax);
    for (const path of paths) digest.update(`${path}\n`);
    for (let at = 0; at < paths.length; at += step) {
      const { sizeBytes, fingerprint } = await input.stat(paths[at]!);
      digest.update(`${fingerprint}\n`);
      fileCount++;
      bytes += sizeBytes;
    }
  }
  const wanted = Math.round((turnBytes * fileCount) / Math.max(1, bytes));
  return { digest: digest.digest('hex'), filesPerTurn: Math.min(Math.max(1, wanted), filesPerTurnMax) };
}
