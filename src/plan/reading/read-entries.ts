import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import type { SumAt } from '../../io/input/growing-file.ts';
import type { Entry, ReadEnd } from '../../model/entry.ts';
import { sourceNamed } from '../choose-source.ts';
import { FileEnds } from './file-ends.ts';
import { identified, isMessage, type MessageEntry } from './message-entry.ts';
import { watchInput } from './watch-input.ts';

/** What is to be read. Plain data: it can go to another thread. */
export interface ReadRequest {
  /** Name of a source. */
  readonly source: string;
  /** Parsed by the source's schema. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  /** For each input, in order: the row files to read. */
  readonly wanted: readonly (readonly string[] | 'all')[];
  /** For each input: files that are read from where they ended, as it was verified. */
  readonly ends?: readonly ReadonlyMap<string, VerifiedEnd>[];
}

/** Where a file ended, and the sum of everything before that. */
export type VerifiedEnd = ReadEnd & SumAt;

/** Some entries of one input, in order. Plain JSON. */
export interface EntryList {
  /** Index of the input. */
  readonly input: number;
  readonly entries: readonly ReadEntry[];
}

/** An entry; a message with what it is known by, a file that is finished with what it was. */
export type ReadEntry = Exclude<Entry, { type: 'file' }> | MessageEntry | FoundEnd | FinishedFile;
/** What comes of the file behind this may be another next time. */
export interface FoundEnd {
  readonly type: 'read-end';
  readonly path: string;
  readonly end: VerifiedEnd;
}
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
  for (const [index, opened] of inputs.entries()) {
    const wanted = request.wanted[index]!;
    const wantedPaths = wanted === 'all' ? undefined : new Set(wanted);
    const before = request.ends?.[index];
    const watched = watchInput(opened, adapter.canGoOn && ((path) => before?.get(path)));
    const { input } = watched;
    const ends = new FileEnds(watched, before);
    const context = {
      signal,
      wants: (path: string) => wantedPaths?.has(path) ?? true,
      ...(request.workspace !== undefined && { workspace: request.workspace }),
      ...(adapter.canGoOn && input.growing && { growing: ends }),
    };
    for await (const list of adapter.read(input, request.sourceOptions, context)) {
      const entries: ReadEntry[] = await ends.found();
      for (const entry of list) {
        if (entry.type === 'file') entries.push(finished(entry, await ends.statOf(entry.path)));
        else entries.push(isMessage(entry) ? identified(entry) : entry);
      }
      yield { input: index, entries };
    }
  }
}

/** Copied by hand: an export has hundreds of thousands. */
function finished({ path, role, reason }: Extract<Entry, { type: 'file' }>, stat: FileStat): FinishedFile {
  return reason === undefined ? { type: 'file', path, role, stat } : { type: 'file', path, role, reason, stat };
}
