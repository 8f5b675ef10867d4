import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import { RunningSum, type SumAt } from '../../io/input/growing-file.ts';
import { SourceError } from '../../lib/errors.ts';
import type { ReadEnd } from '../../model/entry.ts';
import type { GrowingFiles } from '../../sources/source.ts';
import type { ReadEntry, VerifiedEnd } from './protocol.ts';

/** An input whose files may grow, or be replaced, while they are read. */
export interface WatchedInput {
  /** The same input. */
  readonly input: ExportInput;
  /** What a file was when it was opened first: what was added since then is found by the next plan. Forgets the file. */
  statOf(path: string): Promise<FileStat>;
  /**
   * The sum of what was read of a file up to a place, whatever became of the file since. Nothing for what is packed.
   *
   * @throws SourceError if the file is gone meanwhile.
   */
  sumAt(path: string, byteOffset: number): Promise<SumAt | undefined>;
}

/**
 * Notes what each file is before it is read, and adds it up meanwhile. What is packed in an archive stays as it is, and needs
 * no notes.
 *
 * @param sumBefore Of what stands before the place from which a file is read on. Absent: nothing is added up.
 */
export function watchInput(input: ExportInput, sumBefore?: (path: string) => SumAt | undefined): WatchedInput {
  if (!input.growing) {
    return { input, statOf: (path) => statOrNothing(input, path), sumAt: async () => undefined };
  }
  const stats = new Map<string, FileStat>();
  const sums = new Map<string, RunningSum>();
  const note = async (path: string) => {
    if (!stats.has(path)) stats.set(path, await statOrNothing(input, path));
  };
  const adding = async function* (path: string, start: SumAt | undefined, chunks: AsyncIterable<Uint8Array>) {
    await note(path);
    if (!sumBefore) return yield* chunks;
    const sum = new RunningSum(start);
    sums.set(path, sum);
    for await (const chunk of chunks) {
      sum.add(chunk);
      yield chunk;
    }
  };
  return {
    input: {
      ...delegating(input, note),
      open: (path) => adding(path, undefined, input.open(path)),
      growing(path) {
        const file = input.growing?.(path);
        return file && { ...file, openAt: (at) => adding(path, sumBefore?.(path), file.openAt(at)) };
      },
    },
    async statOf(path) {
      await note(path);
      const stat = stats.get(path)!;
      stats.delete(path);
      sums.delete(path);
      return stat;
    },
    sumAt: async (path, byteOffset) => input.growing?.(path)?.sumAt(byteOffset, sums.get(path)?.upTo(byteOffset)),
  };
}

/** Inputs are classes, whose methods a spread would not copy. */
const delegating = (input: ExportInput, note: (path: string) => Promise<void>): ExportInput => ({
  label: input.label,
  key: input.key,
  problems: input.problems,
  paths: () => input.paths(),
  stat: (path) => input.stat(path),
  head: (path, byteCount) => input.head(path, byteCount),
  read: (path, bytesMax) => note(path).then(() => input.read(path, bytesMax)),
  open: (path) => input.open(path),
  materialise: (path) => note(path).then(() => input.materialise(path)),
  close: () => input.close(),
});

/** A file that is not there has no fingerprint: the next plan looks at it again. */
async function statOrNothing(input: ExportInput, path: string): Promise<FileStat> {
  try {
    return await input.stat(path);
  } catch (error) {
    if (error instanceof SourceError) return { sizeBytes: 0, fingerprint: '' };
    throw error;
  }
}

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
