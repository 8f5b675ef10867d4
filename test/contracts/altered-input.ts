import type { ExportInput } from '../../src/io/input/export-input.ts';
import { SourceError } from '../../src/lib/errors.ts';

/** Record of a reader's use of an export. */
export interface Watch {
  /** Paths whose content was asked for, in order. */
  readonly opened: string[];
  /** How many files `open` has begun and not finished. */
  openCount: number;
}

/** The same export, noting what is done with it. */
export function watched(input: ExportInput): { readonly input: ExportInput; readonly watch: Watch } {
  const watch: Watch = { opened: [], openCount: 0 };
  return {
    watch,
    input: {
      ...input,
      async read(path, bytesMax) {
        watch.opened.push(path);
        return input.read(path, bytesMax);
      },
      async *open(path) {
        watch.opened.push(path);
        watch.openCount += 1;
        try {
          yield* input.open(path);
        } finally {
          watch.openCount -= 1;
        }
      },
    },
  };
}

/** The same export with other bytes in one file; without bytes that file cannot be read. */
export function withFile(input: ExportInput, path: string, bytes: Uint8Array | undefined): ExportInput {
  const changed = () => {
    if (bytes) return bytes;
    throw new SourceError(`Cannot read "${path}": the checksum is wrong`, { location: { path } });
  };
  return {
    ...input,
    stat: async (asked) =>
      asked === path && bytes ? { sizeBytes: bytes.length, fingerprint: 'changed' } : input.stat(asked),
    head: async (asked, byteCount) =>
      asked === path ? changed().subarray(0, byteCount) : input.head(asked, byteCount),
    read: async (asked, bytesMax) => (asked === path ? changed() : input.read(asked, bytesMax)),
    async *open(asked) {
      if (asked === path) yield changed();
      else yield* input.open(asked);
    },
  };
}
