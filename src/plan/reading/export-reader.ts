import type { ExportInput } from '../../io/input/export-input.ts';
import { openExport } from '../../io/input/open-export.ts';
import { describeOpened, sourceNamed } from '../choose-source.ts';
import type { EntryList, OpenedExports, ReadRequest, StepList } from './protocol.ts';
import { readEntriesHere } from './read-entries.ts';
import { hasLargeFile, type ReadingThreads, readingThreads } from './reading-worker.ts';
import { inTurns } from './share.ts';
import { type ReadingThread, startReading } from './start-reading.ts';

export interface ExportReaderOptions {
  /** Folders, archives and files, as the user named them. */
  readonly exports: readonly string[];
  /** Name of a source; detected where absent. */
  readonly source?: string | undefined;
  /** A thread that opens these exports already; closed where it is not needed. */
  readonly ahead?: ReadingThread | undefined;
  /** How many threads read, at most. Default: as many as there are cores, less one. */
  readonly threads?: number | ReadingThreads | undefined;
}

/**
 * The exports of a plan. Where much is read, other threads open and read them, and map what they read: this one writes, and
 * the listing of a large export is held by those alone who read it.
 */
export class ExportReader {
  readonly #exports: readonly string[];
  readonly #source: string | undefined;
  readonly #threads: ReadingThreads;
  #inputs: readonly ExportInput[] | undefined;
  /** Those that were started and not asked to read yet. */
  #started: ReadingThread[];

  constructor({ exports, source, ahead, threads }: ExportReaderOptions) {
    this.#exports = exports;
    this.#source = source;
    this.#threads = typeof threads === 'object' ? threads : readingThreads(threads);
    this.#started = ahead ? [ahead] : [];
  }

  /**
   * @param readsAll Whether everything will be read, whatever the last plan left: the first plan of a store.
   * @throws SourceError, UsageError
   */
  async open({ readsAll }: { readonly readsAll: boolean }): Promise<OpenedExports> {
    if (readsAll && this.#threads.count > 0 && hasLargeFile(this.#exports, this.#threads)) {
      if (this.#started.length === 0) this.#start(this.#source);
      const opened = await this.#started[0]!.opened();
      this.#startOthers(opened.source);
      return opened;
    }
    await this.#closeThreads();
    return describeOpened(await this.inputs(), this.#source);
  }

  /** With their listings, opened where they are not. @throws SourceError, UsageError */
  async inputs(): Promise<readonly ExportInput[]> {
    this.#inputs ??= await openExport(this.#exports);
    return this.#inputs;
  }

  /** Reads what is wanted, and closes; what another thread reads, that thread maps, where it may. @throws SourceError, UsageError */
  async *read(request: ReadRequest, signal: AbortSignal): AsyncGenerator<EntryList | StepList> {
    try {
      const isMuch = this.#started.length > 0 || (this.#threads.count > 0 && (await this.#isMuch(request)));
      if (!isMuch) return yield* readEntriesHere(await this.inputs(), request, signal);
    } finally {
      await this.#closeInputs();
    }
    if (this.#started.length === 0) this.#start(request.source);
    if (isDivisible(request)) this.#startOthers(request.source);
    yield* readTogether(await this.#agreed(request), request, signal);
  }

  async close(): Promise<void> {
    await this.#closeInputs();
    await this.#closeThreads();
  }

  async #closeThreads(): Promise<void> {
    for (const thread of this.#started.splice(0)) await thread.close();
  }

  async #closeInputs(): Promise<void> {
    const inputs = this.#inputs ?? [];
    this.#inputs = undefined;
    for (const input of inputs) await input.close();
  }

  #start(source: string | undefined): void {
    this.#started.push(startReading(this.#exports, source, this.#threads));
  }

  /** They open while this thread prepares the store. */
  #startOthers(source: string): void {
    if (!isDividedSource(source)) return;
    while (this.#started.length < this.#threads.count) this.#start(source);
  }

  /** Threads that found the same files; the first alone where they did not, or where the request cannot be divided. */
  async #agreed(request: ReadRequest): Promise<Agreed> {
    const opened = await Promise.all(this.#started.map((thread) => thread.opened()));
    const listing = opened[0]!.listing;
    const areSame = opened.every((one) => one.listing?.digest === listing?.digest);
    const threads = this.#started.splice(0, isDivisible(request) && areSame ? this.#started.length : 1);
    await this.#closeThreads();
    return { threads, filesPerTurn: this.#threads.filesPerTurn ?? listing?.filesPerTurn ?? 1 };
  }

  async #isMuch({ wanted, ends }: ReadRequest): Promise<boolean> {
    let bytes = 0;
    for (const [index, input] of (await this.inputs()).entries()) {
      const own = wanted[index]!;
      for (const path of own === 'all' ? await input.paths() : own) {
        bytes += (await input.stat(path)).sizeBytes - (ends?.[index]?.get(path)?.byteOffset ?? 0);
        if (bytes >= this.#threads.bytesMin) return true;
      }
    }
    return false;
  }
}

/** Where files of rows describe people and conversations, others lean on them: one thread maps them all, in order. */
const isDividedSource = (source: string): boolean => sourceNamed(source).describes === 'once';

/** Replies quote roots that any file before theirs may hold. */
const isDivisible = ({ source, mapping, wanted }: ReadRequest): boolean =>
  isDividedSource(source) &&
  mapping !== undefined &&
  mapping.mapping.rules.messages.threads !== 'quote' &&
  wanted.every((paths) => paths === 'all');

interface Agreed {
  readonly threads: readonly ReadingThread[];
  readonly filesPerTurn: number;
}

function readTogether(
  { threads, filesPerTurn }: Agreed,
  request: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<EntryList | StepList> {
  const count = threads.length;
  if (count === 1) return threads[0]!.read(request, signal);
  return inTurns(
    threads.map((thread, index) => thread.read({ ...request, share: { index, count, filesPerTurn } }, signal)),
  );
}
