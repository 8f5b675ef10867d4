import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { isTableSource, type TableContext } from '../../sources/table-source.ts';
import { UnreadChats } from '../../sources/detect.ts';
import { ignoredByMapping, type IsIgnored, withoutIgnored } from '../ignored-files.ts';
import { SourceError } from '../../lib/errors.ts';

/** Parts of the exports to read. */
export interface ReadRequest {
  readonly adapter: SourceAdapter;
  /** Parsed by the schema of the source. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  readonly wanted: WantedFiles;
  readonly isIgnored: IsIgnored;
  readonly onWord?: TableContext['onWord'];
}

/** For each input, in order: the row files to read. Shared files are always read. */
export type WantedFiles = readonly (readonly string[] | 'all')[];

export interface EntryList {
  readonly input: number;
  readonly entries: readonly ReadEntry[];
}

/** An entry of a source; a finished file comes with what it was when it was opened. */
export type ReadEntry = Exclude<Entry, { type: 'file' }> | FinishedFile;

export type FinishedFile = Extract<Entry, { type: 'file' }> & { readonly stat: FileStat };

/** State of rows that are in no file of the input: the files from which they are made show when they change. */
export const queryStat: FileStat = { sizeBytes: 0, fingerprint: 'of shared files' };

/** Reads the wanted files of all inputs, one input after the other. @throws SourceError, UsageError */
export async function* readEntries(
  inputs: readonly ExportInput[],
  { adapter, sourceOptions, workspace, wanted, isIgnored, onWord }: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<EntryList> {
  const queryPaths = new Set(isTableSource(adapter) ? adapter.queryPaths(sourceOptions) : []);
  for (const [index, opened] of inputs.entries()) {
    const files = wanted[index]!;
    const paths = files === 'all' ? undefined : new Set(files);
    const { input, firstStat: statOf } = watchInput(withoutIgnored(opened, isIgnored));
    const stat = async (path: string) => (queryPaths.has(path) ? queryStat : statOf(path));
    const leftBehind = async (path: string): Promise<ReadEntry> => {
      const file = { type: 'file', path, role: 'skipped', reason: ignoredByMapping } as const;
      return { ...file, stat: await stat(path) };
    };
    const wants = (path: string) => paths?.has(path) ?? true;
    const context = { signal, inputs, wants, ...(workspace !== undefined && { workspace }), ...(onWord && { onWord }) };
    const ignored = (await opened.paths()).filter((path) => isIgnored(path) && context.wants(path));
    if (ignored.length > 0) yield { input: index, entries: await Promise.all(ignored.map(leftBehind)) };
    const unread = new UnreadChats(input, adapter);
    for await (const list of adapter.read(input, sourceOptions, context)) {
      const entries: ReadEntry[] = [];
      for (const entry of list)
        entries.push(entry.type === 'file' ? { ...(await unread.judge(entry)), stat: await stat(entry.path) } : entry);
      yield { input: index, entries };
    }
  }
}

/** An input whose files may change, or be replaced, while they are read. */
export interface WatchedInput {
  readonly input: ExportInput;
  /** Returns the state of a file before it was first opened, so that the next plan finds a later change. Forgets the file. */
  firstStat(path: string): Promise<FileStat>;
}

/** Notes what each file is before it is read. */
export function watchInput(input: ExportInput): WatchedInput {
  const stats = new Map<string, FileStat>();
  const note = async (path: string) => {
    if (!stats.has(path)) stats.set(path, await statOrNothing(input, path));
  };
  return {
    input: {
      ...input,
      read: (path, bytesMax, into) => note(path).then(() => input.read(path, bytesMax, into)),
      async *open(path) {
        await note(path);
        yield* input.open(path);
      },
      materialise: (path) => note(path).then(() => input.materialise(path)),
    },
    async firstStat(path) {
      await note(path);
      const stat = stats.get(path)!;
      stats.delete(path);
      return stat;
    },
  };
}

/** A missing file has no fingerprint, so the next plan looks at it again. */
async function statOrNothing(input: ExportInput, path: string): Promise<FileStat> {
  try {
    return await input.stat(path);
  } catch (error) {
    if (error instanceof SourceError) return { sizeBytes: 0, fingerprint: '' };
    throw error;
  }
}
