import type { ExportInput } from '../../io/input/export-input.ts';
import { openExport } from '../../io/input/open-export.ts';
import { describeOpened } from '../choose-source.ts';
import type { EntryList, OpenedExports, ReadRequest, StepList } from './protocol.ts';
import { readEntriesHere } from './read-entries.ts';
import { type ReadingThread, startReading } from './start-reading.ts';
import { canThread, hasLargeFile, threadBytesMin } from './reading-worker.ts';

/**
 * The exports of a plan. Where much is read, another thread opens and reads them: one core reads while the other maps and
 * writes, and the listing of a large export is held once.
 */
export class ExportReader {
  readonly #exports: readonly string[];
  readonly #source: string | undefined;
  #inputs: readonly ExportInput[] | undefined;
  #thread: ReadingThread | undefined;

  /**
   * @param exports Folders, archives and files, as the user named them.
   * @param source Name of a source; detected where absent.
   * @param ahead A thread that opens these exports already; closed where it is not needed.
   */
  constructor(exports: readonly string[], source: string | undefined, ahead?: ReadingThread) {
    this.#exports = exports;
    this.#source = source;
    this.#thread = ahead;
  }

  /**
   * @param readsAll Whether everything will be read, whatever the last plan left: the first plan of a store.
   * @throws SourceError, UsageError
   */
  async open({ readsAll }: { readonly readsAll: boolean }): Promise<OpenedExports> {
    if (readsAll && canThread && hasLargeFile(this.#exports)) {
      this.#thread ??= startReading(this.#exports, this.#source);
      return this.#thread.opened();
    }
    await this.#thread?.close();
    this.#thread = undefined;
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
      const isMuch = this.#thread !== undefined || (canThread && (await this.#isMuch(request)));
      if (!isMuch) return yield* readEntriesHere(await this.inputs(), request, signal);
    } finally {
      await this.#closeInputs();
    }
    const thread = this.#thread ?? startReading(this.#exports, request.source);
    this.#thread = undefined;
    yield* thread.read(request, signal);
  }

  async close(): Promise<void> {
    await this.#closeInputs();
    await this.#thread?.close();
  }

  async #closeInputs(): Promise<void> {
    const inputs = this.#inputs ?? [];
    this.#inputs = undefined;
    for (const input of inputs) await input.close();
  }

  async #isMuch({ wanted, ends }: ReadRequest): Promise<boolean> {
    let bytes = 0;
    for (const [index, input] of (await this.inputs()).entries()) {
      const own = wanted[index]!;
      for (const path of own === 'all' ? await input.paths() : own) {
        bytes += (await input.stat(path)).sizeBytes - (ends?.[index]?.get(path)?.byteOffset ?? 0);
        if (bytes >= threadBytesMin) return true;
      }
    }
    return false;
  }
}
