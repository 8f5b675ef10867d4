import type { ExportInput, FileStat } from '../../io/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { SourceError } from '../../lib/errors.ts';
import { sourceNamed } from '../choose-source.ts';

/** What is to be read. Plain data: it can go to another thread. */
export interface ReadRequest {
  /** Name of a source. */
  readonly source: string;
  /** Parsed by the source's schema. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  /** For each input, in order: the row files to read. */
  readonly wanted: readonly (readonly string[] | 'all')[];
}

/** Some entries of one input, in order. Plain JSON. */
export interface EntryList {
  /** Index of the input. */
  readonly input: number;
  readonly entries: readonly ReadEntry[];
}

/** An entry; with a file that is finished, what it was. */
export type ReadEntry = Exclude<Entry, { type: 'file' }> | FinishedFile;
export type FinishedFile = Extract<Entry, { type: 'file' }> & { readonly stat: FileStat };

/**
 * Reads what is wanted, in this thread.
 *
 * @param inputs The request's exports, open.
 * @throws SourceError, UsageError
 */
export async function* readEntriesHere(
  inputs: readonly ExportInput[],
  request: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<EntryList> {
  const adapter = sourceNamed(request.source);
  for (const [index, input] of inputs.entries()) {
    const wanted = request.wanted[index]!;
    const wantedPaths = wanted === 'all' ? undefined : new Set(wanted);
    const context = {
      signal,
      wants: (path: string) => wantedPaths?.has(path) ?? true,
      ...(request.workspace !== undefined && { workspace: request.workspace }),
    };
    for await (const list of adapter.read(input, request.sourceOptions, context)) {
      const entries: ReadEntry[] = [];
      for (const entry of list) {
        if (entry.type === 'file') entries.push({ ...entry, stat: await statOf(input, entry.path) });
        else entries.push(entry);
      }
      yield { input: index, entries };
    }
  }
}

/** A file that went away while it was read has no fingerprint: the next plan looks at it again. */
async function statOf(input: ExportInput, path: string): Promise<FileStat> {
  try {
    return await input.stat(path);
  } catch (error) {
    if (error instanceof SourceError) return { sizeBytes: 0, fingerprint: '' };
    throw error;
  }
}
