import { decodedInput } from '../../src/io/input/decoded-input.ts';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { TemporaryCopies } from '../../src/io/input/temporary-copies.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { atFileEnd } from '../file-end.ts';

/** Contents by path: text and bytes unchanged, anything else as JSON. */
export type MemoryFiles = Readonly<Record<string, unknown>>;

/** An export whose files are in memory, as `openExport` gives them. */
export function memoryInput(files: MemoryFiles, label = 'memory'): ExportInput {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, toBytes(content)]));
  const contentOf = (path: string) => {
    const content = contents.get(path);
    if (!content) throw new SourceError(`Cannot read "${path}": not in the export`, { location: { path } });
    return content;
  };
  return decodedInput({
    label,
    key: `memory:${label}`,
    problems: [],
    paths: async () => [...contents.keys()].sort((a, b) => (a < b ? -1 : 1)),
    stat: async (path) => ({ sizeBytes: contentOf(path).length, fingerprint: `memory:${contentOf(path).length}` }),
    head: async (path, byteCount) => contentOf(path).subarray(0, byteCount),
    read: async (path, bytesMax) => {
      if (contentOf(path).length <= bytesMax) return contentOf(path);
      throw new SourceError(`Cannot read "${path}": larger than ${bytesMax} bytes`, { location: { path } });
    },
    async *open(path) {
      const content = contentOf(path);
      for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
    },
    materialise: async (path) => copyOf(path, contentOf(path)),
    close: async () => {},
  });
}

/** A file on a disk, for formats that need one. Gone with the test file. */
async function copyOf(path: string, content: Uint8Array): Promise<string> {
  const copies = new TemporaryCopies();
  atFileEnd(() => copies.remove());
  return copies.ensureCopy(
    path,
    (async function* () {
      yield content;
    })(),
  );
}

/** Small enough that most files come in several chunks. */
const chunkBytes = 1000;

function toBytes(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}
