import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ExportInput } from '../../io/export-input.ts';
import { openExport } from '../../io/open-export.ts';
import { type EntryList, type ReadRequest, readEntriesHere } from './read-entries.ts';
import { type ReadingThread, startReading } from './start-reading.ts';

/** From here on a thread pays for its start, some 0.2 s. */
const threadBytesMin = 24 * 1024 * 1024;
/** An archive of this size holds as much. */
const packedBytesMin = 5 * 1024 * 1024;

/**
 * The exports of a plan, opened when they are asked for. Where much is read, another thread does: one core reads while
 * the other maps and writes.
 */
export class ExportReader {
  readonly #exports: readonly string[];
  /** A pass closes them and forgets them, so that the listing of a large export is not held twice. */
  #inputs: readonly ExportInput[] | undefined;
  #thread: ReadingThread | undefined;

  /** @param exports Folders, archives and files, as the user named them. */
  constructor(exports: readonly string[]) {
    this.#exports = exports;
  }

  /** Has a thread open large archives already: for a first plan, which reads everything. */
  prepare(): void {
    const isLarge = this.#exports.some(
      (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > packedBytesMin,
    );
    if (isLarge && availableParallelism() > 1) this.#thread ??= startReading(this.#exports);
  }

  /** @throws SourceError, UsageError */
  async inputs(): Promise<readonly ExportInput[]> {
    this.#inputs ??= await openExport(this.#exports);
    return this.#inputs;
  }

  /** Reads what is wanted. @throws SourceError, UsageError */
  async *read(request: ReadRequest, signal: AbortSignal): AsyncGenerator<EntryList> {
    try {
      const isMuch = this.#thread !== undefined || (availableParallelism() > 1 && (await this.#isMuch(request.wanted)));
      if (!isMuch) return yield* readEntriesHere(await this.inputs(), request, signal);
    } finally {
      await this.#forgetInputs();
    }
    const thread = this.#thread ?? startReading(this.#exports);
    this.#thread = undefined;
    yield* thread.read(request, signal);
  }

  async close(): Promise<void> {
    await this.#forgetInputs();
    await this.#thread?.close();
  }

  async #forgetInputs(): Promise<void> {
    const inputs = this.#inputs ?? [];
    this.#inputs = undefined;
    for (const input of inputs) await input.close();
  }

  async #isMuch(wanted: ReadRequest['wanted']): Promise<boolean> {
    let bytes = 0;
    for (const [index, input] of (await this.inputs()).entries()) {
      const own = wanted[index]!;
      for (const path of own === 'all' ? await input.paths() : own) {
        bytes += (await input.stat(path)).sizeBytes;
        if (bytes >= threadBytesMin) return true;
      }
    }
    return false;
  }
}
