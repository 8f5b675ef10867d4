/**
 * How a file of a message gets to its permanent location. The steps, each a file:
 *
 *     note      which planned messages have which files, each file once               note-files.ts
 *     turn      what expires first; several hosts side by side                        host-queue.ts
 *     fetch     from the export, or by its address, guarded, into a temporary file    fetch/
 *     keep      by its digest: intent on disk, check, write, check, stored            copy-file.ts, locations/
 *     outcome   copied, missing, refused, failed: in the totals                       store/media/
 *     payload   messages get the new addresses before their first intent              make-payloads.ts
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Store } from '../store/open.ts';
import { type MediaFile, type MediaSums, placeInExport } from '../store/media.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { formatCount } from '../lib/text/count.ts';
import type { DestinationError } from '../lib/errors.ts';
import type { MediaRules } from '../mapping/rules.ts';
import { type Copied, ObjectStore } from './copying/copy-file.ts';
import { ExportFiles } from './copying/export-files.ts';
import type { Fetcher } from './fetcher.ts';
import { smallBytesMax } from './fetch/small-buffers.ts';
import { Ledger } from './copying/ledger.ts';
import { locationError, MediaFault, type MediaLocation } from './media-location.ts';
import { noteFiles } from './note-files.ts';
import { type DescribePicture, pictureDescriber } from './copying/pictures.ts';

export interface CopyOptions extends RunControls {
  readonly rules: MediaRules;
  readonly location: MediaLocation;
  readonly fetcher: Fetcher;
}

export interface CopyResult {
  readonly sums: MediaSums;
  readonly stopped: DestinationError | undefined;
}

/**
 * Copies every file of planned messages that was not copied yet. Retries files that could not be copied before. The
 * same call continues after any interruption.
 *
 * @returns Why it stopped early, if it did.
 * @throws StoreError
 */
export async function copyMedia(store: Store, options: CopyOptions): Promise<CopyResult> {
  noteFiles(store);
  store.media.reopen(options.location.name);
  const total = store.media.countToCopy();
  if (total === 0) return { sums: store.media.sums(), stopped: undefined };
  const describe = await pictureDescriber(options.rules);
  const stage = options.progress.stage('Copying files', { total });
  const copier = new Copier(store, options, describe, () => stage.update({ done: copier.done, total }));
  const stopped = await copier.run();
  const sums = store.media.sums();
  stage.finish(summaryOf(sums));
  return { sums, stopped };
}

const summaryOf = ({ copied, shared, missing, refused, waiting }: MediaSums): string =>
  Object.entries({ copied, shared, missing, refused, 'not copied': waiting })
    .filter(([name, count]) => name === 'copied' || count > 0)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');

/** Files that are hashed, or wait for their intent, for each that is written: commits cost the same for one and for many. */
const preparedPerWrite = 8;
/** Intents of one commit, for each file that is written. */
const intentsPerWrite = 8;
class Copier {
  done = 0;
  readonly #store: Store;
  readonly #options: CopyOptions;
  readonly #ledger: Ledger;
  readonly #large: LimitFunction;
  readonly #objects: ObjectStore;
  readonly #exports: ExportFiles;
  readonly #tell: () => void;

  constructor(store: Store, options: CopyOptions, describe: DescribePicture | undefined, tell: () => void) {
    this.#store = store;
    this.#options = options;
    const { concurrency } = options.rules;
    this.#ledger = new Ledger(store.commits, concurrency * intentsPerWrite);
    this.#large = pLimit(concurrency * 2);
    this.#objects = new ObjectStore(store, { ...options, concurrency, ledger: this.#ledger, describe });
    this.#exports = new ExportFiles(store, options);
    this.#tell = tell;
  }

  async run(): Promise<DestinationError | undefined> {
    const { rules, stopping, signal } = this.#options;
    const { concurrency, perHost } = rules;
    try {
      // Some are hashed while others are written.
      const side = { concurrency: concurrency * preparedPerWrite, perHost, signal: stopping };
      await byHost(this.#store.media.filesToCopy(), side, (file) =>
        isSmall(file) ? this.#copy(file) : this.#large(() => this.#copy(file)),
      );
      return undefined;
    } catch (error) {
      if (error instanceof MediaFault) return locationError(error, 'copy files');
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      await this.#exports.close();
      await this.#ledger.close();
    }
  }

  async #copy(file: MediaFile): Promise<void> {
    const outcome = await this.#objects.keep(await this.#fetch(file), originOf(file));
    this.#ledger.note(() => this.#note(file.id, outcome));
    this.done++;
    this.#tell();
  }

  async #fetch(file: MediaFile) {
    const place = placeInExport(file.origin);
    if (place) return await this.#exports.fetch(place, originOf(file));
    return await this.#options.fetcher.fetch(file.origin, originOf(file), this.#options.signal);
  }

  #note(file: number, outcome: Copied): void {
    const nowMs = this.#options.clock.now();
    if (outcome.kind === 'copied') this.#store.media.noteCopied(file, outcome.object, nowMs);
    else this.#store.media.noteNotCopied(file, outcome.kind, outcome.why, nowMs);
  }
}

/** Larger ones of the export would fill the disk, or read many places of it at once. */
const isSmall = ({ host, sizeBytes }: MediaFile): boolean =>
  host === '' && sizeBytes !== null && sizeBytes <= smallBytesMax;

const originOf = ({ name, mimeType, sizeBytes }: MediaFile) => ({ name, mimeType, sizeBytes: sizeBytes ?? undefined });

/** How far ahead is looked for a file of another host, where those of one have to wait. */
const aheadMax = 1_000;

/**
 * Does work on items side by side, at most `perHost` of one host at a time, and otherwise in their order. Items are taken as they are
 * needed; up to a thousand wait for their host.
 *
 * @throws what `work` throws, once everything that had begun is over; nothing begins after it.
 */
export async function byHost<T extends { readonly host: string }>(
  items: Iterable<T>,
  {
    concurrency,
    perHost,
    signal,
  }: { readonly concurrency: number; readonly perHost: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const ahead: T[] = [];
  const busy = new Map<string, number>();
  let running = 0;
  let wake = () => {};
  let fault: { readonly error: unknown } | undefined;
  let isEnd = false;

  const isFree = ({ host }: T) => host === '' || (busy.get(host) ?? 0) < perHost;
  const next = (): T | undefined => {
    const index = ahead.findIndex(isFree);
    if (index >= 0) return ahead.splice(index, 1)[0];
    while (!isEnd && ahead.length < aheadMax) {
      const { done, value } = iterator.next();
      if (done) isEnd = true;
      else if (isFree(value)) return value;
      else ahead.push(value);
    }
    return undefined;
  };
  const start = (item: T) => {
    busy.set(item.host, (busy.get(item.host) ?? 0) + 1);
    running++;
    void work(item)
      .catch((error: unknown) => {
        fault ??= { error };
      })
      .finally(() => {
        const left = busy.get(item.host)! - 1;
        if (left > 0) busy.set(item.host, left);
        else busy.delete(item.host);
        running--;
        wake();
      });
  };

  for (;;) {
    while (running < concurrency && !fault && !signal.aborted) {
      const item = next();
      if (item === undefined) break;
      start(item);
    }
    if (running === 0) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  iterator.return?.();
  if (fault) throw fault.error;
}
