import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';

/** An input whose files may change, or be replaced, while they are read. */
export interface WatchedInput {
  /** The same input. */
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
    // By hand: inputs are classes, and a spread does not copy methods.
    input: {
      label: input.label,
      key: input.key,
      ...(input.server !== undefined && { server: input.server }),
      problems: input.problems,
      paths: () => input.paths(),
      stat: (path) => input.stat(path),
      head: (path, byteCount) => input.head(path, byteCount),
      read: (path, bytesMax, into) => note(path).then(() => input.read(path, bytesMax, into)),
      async *open(path) {
        await note(path);
        yield* input.open(path);
      },
      materialise: (path) => note(path).then(() => input.materialise(path)),
      close: () => input.close(),
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
