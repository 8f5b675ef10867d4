import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportInput } from '../../src/io/export-input.ts';
import { SourceError } from '../../src/lib/errors.ts';

/** An export whose files are in memory, and which counts what is open. */
export interface MemoryInput extends ExportInput {
  /** Files that `open` has begun to read and not finished. */
  readonly openCount: () => number;
  /** Paths whose content was asked for, in order. */
  readonly opened: readonly string[];
}

/** Text as it stands, bytes as they are, anything else as JSON. */
export type MemoryFiles = Readonly<Record<string, unknown>>;

export function memoryInput(files: MemoryFiles, label = 'memory'): MemoryInput {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, toBytes(content)]));
  const paths = [...contents.keys()].sort((a, b) => (a < b ? -1 : 1));
  const opened: string[] = [];
  let openCount = 0;
  const contentOf = (path: string) => {
    const content = contents.get(path);
    if (!content) throw new SourceError(`Cannot read "${path}": not in the export`, { location: { path } });
    return content;
  };
  return {
    label,
    key: `memory:${label}`,
    problems: [],
    openCount: () => openCount,
    opened,
    paths: async () => paths,
    stat: async (path) => ({ sizeBytes: contentOf(path).length, fingerprint: `memory:${contentOf(path).length}` }),
    head: async (path, byteCount) => contentOf(path).subarray(0, byteCount),
    read: async (path, bytesMax) => {
      opened.push(path);
      const content = contentOf(path);
      if (content.length > bytesMax) throw new SourceError(`Cannot read "${path}": larger than ${bytesMax} bytes`);
      return content;
    },
    async *open(path) {
      opened.push(path);
      const content = contentOf(path);
      openCount += 1;
      try {
        for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
      } finally {
        openCount -= 1;
      }
    },
    materialise: async (path) => {
      throw new SourceError(`Cannot copy "${path}": it is in memory only`);
    },
    close: async () => {},
  };
}

/** Small enough that most files come in several chunks. */
const chunkBytes = 1000;

function toBytes(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}

/** A folder on disk, read once. */
export async function memoryInputOf(folder: string): Promise<MemoryInput> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, Uint8Array> = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path);
  }
  return memoryInput(files, folder.split('/').at(-1));
}
