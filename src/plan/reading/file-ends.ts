import type { FileStat } from '../../io/input/export-input.ts';
import type { SumAt } from '../../io/input/growing-file.ts';
import { SourceError } from '../../lib/errors.ts';
import type { ReadEnd } from '../../model/entry.ts';
import type { GrowingFiles } from '../../sources/source.ts';
import type { ReadEntry, VerifiedEnd } from './read-entries.ts';
import type { WatchedInput } from './watch-input.ts';

/** Where the files of one input ended: in an earlier reading, and in this one. */
export class FileEnds implements GrowingFiles {
  readonly #watched: WatchedInput;
  readonly #before: ReadonlyMap<string, VerifiedEnd> | undefined;
  #noted: { readonly path: string; readonly end: ReadEnd }[] = [];
  /** Files that were gone or shorter before they were read to their end. */
  readonly #torn = new Set<string>();

  constructor(watched: WatchedInput, before: ReadonlyMap<string, VerifiedEnd> | undefined) {
    this.#watched = watched;
    this.#before = before;
  }

  endOf(path: string): VerifiedEnd | undefined {
    return this.#before?.get(path);
  }

  noteEnd(path: string, end: ReadEnd): void {
    if (end.byteOffset > 0 && this.#watched.input.growing?.(path)) this.#noted.push({ path, end });
  }

  /** Those that were noted since this was asked, with the sums by which the next plan knows what was read. */
  async found(): Promise<ReadEntry[]> {
    const found: ReadEntry[] = [];
    for (const { path, end } of this.#noted.splice(0)) {
      const sum = await this.#sumAt(path, end.byteOffset);
      if (sum) found.push({ type: 'read-end', path, end: { ...end, ...sum } });
      else this.#torn.add(path);
    }
    return found;
  }

  async statOf(path: string): Promise<FileStat> {
    const stat = await this.#watched.statOf(path);
    return this.#torn.has(path) ? { ...stat, fingerprint: '' } : stat;
  }

  async #sumAt(path: string, byteOffset: number): Promise<SumAt | undefined> {
    try {
      return await this.#watched.sumAt(path, byteOffset);
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  }
}
