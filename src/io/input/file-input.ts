import { formatCount } from '../../lib/text/count.ts';
import { SourceError } from '../../lib/errors.ts';
import { allBytes, firstBytes } from '../bytes.ts';
import { type Caps, unpackedBytesAllowed } from './caps.ts';
import type { ExportInput, FileStat } from './export-input.ts';
import { toSourceError } from './file-errors.ts';
import { bytesAt, readChunks, type RegularFile, withRegularFile } from './regular-file.ts';
import { fingerprintFile, statFile } from './fingerprint.ts';
import { gunzipped } from './gunzip.ts';
import { TemporaryCopies } from './temporary-copies.ts';

/** One file that was named on the command line. */
export interface NamedFile {
  /** Absolute, links resolved. */
  readonly realPath: string;
  stat(): Promise<FileStat>;
  open(): AsyncIterable<Uint8Array>;
  /** Whether `open` yields something else than the bytes on disk. */
  readonly isPacked: boolean;
}

export const plainFile = (realPath: string): NamedFile => ({
  realPath,
  isPacked: false,
  stat: async () => statFile(realPath),
  open: () => readChunks(realPath),
});

const action = 'Cannot read the file';

/**
 * Files that were named together: one input, in which each file has the path that is its key in the map.
 *
 * @param files At least one, in the order in which they were named. @param key Default the path of the first.
 */
export function fileInput(files: ReadonlyMap<string, NamedFile>, key?: string): ExportInput {
  const [first] = files;
  if (first === undefined) throw new TypeError('Cannot make an input of no files');
  const copies = new TemporaryCopies();
  const fault = (path: string, reason: string) => new SourceError(`${action}: ${reason}`, { location: { path } });
  const find = (path: string): NamedFile => {
    const file = files.get(path);
    if (file === undefined) throw fault(path, 'it was not named');
    return file;
  };
  const use = async <T>(path: string, work: (file: NamedFile) => T | Promise<T>): Promise<T> => {
    try {
      return await work(find(path));
    } catch (error) {
      throw toSourceError(error, action, { path }) ?? error;
    }
  };
  return {
    label: files.size === 1 ? first[0] : `${files.size} files`,
    key: key ?? first[1].realPath,
    problems: [],
    paths: async () => [...files.keys()].sort(),
    stat: (path) => use(path, (file) => file.stat()),
    head: (path, byteCount) => use(path, (file) => firstBytes(file.open(), byteCount)),
    async read(path, bytesMax) {
      const bytes = await use(path, (file) => allBytes(file.open(), bytesMax));
      if (bytes !== undefined) return bytes;
      throw fault(path, `expected at most ${formatCount(bytesMax)} bytes, found more`);
    },
    async *open(path) {
      try {
        yield* find(path).open();
      } catch (error) {
        throw toSourceError(error, action, { path }) ?? error;
      }
    },
    materialise: (path) => use(path, (file) => (file.isPacked ? copies.ensureCopy(path, file.open()) : file.realPath)),
    close: () => copies.remove(),
  };
}

/** Packed files up to this size are unpacked once to learn their size. */
const countedBytesMax = 16 * 2 ** 20;

/**
 * Opens a `.gz` of one file. Several consecutive members are one file. The readable part of a cut-off or damaged file
 * is yielded before the SourceError.
 *
 * @param path Inside the input, for messages and locations.
 */
export function gzipFile(realPath: string, path: string, caps: Caps): NamedFile {
  const open = () => unpack(realPath, path, caps);
  return { realPath, isPacked: true, open, stat: () => statPacked(realPath, open) };
}

function unpack(realPath: string, path: string, caps: Caps): AsyncGenerator<Uint8Array> {
  const chunks = () => readChunks(realPath, { size: 32 * 1024 });
  const packedBytes = withRegularFile(realPath, ({ sizeBytes }) => sizeBytes);
  return gunzipped({ path, chunks, bytesMax: unpackedBytesAllowed(packedBytes, caps) });
}

/**
 * The fingerprint is that of the packed file. A gzip file does not say its size reliably (modulo 4 GiB, and only of its last
 * member), so up to 16 MiB it is counted; the size of a larger one is at least what is said here.
 */
async function statPacked(realPath: string, open: () => AsyncIterable<Uint8Array>): Promise<FileStat> {
  const { sizeBytes: packedBytes, fingerprint } = withRegularFile(realPath, fingerprintFile);
  if (packedBytes > countedBytesMax) {
    return { sizeBytes: Math.max(packedBytes, withRegularFile(realPath, saidSize)), fingerprint };
  }
  return { sizeBytes: await countedSize(open()), fingerprint };
}

const saidSize = ({ fd, sizeBytes }: RegularFile): number => bytesAt(fd, sizeBytes - 4, 4).readUInt32LE();

/** Bytes before the first fault: reading yields exactly these. */
async function countedSize(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  try {
    for await (const chunk of chunks) count += chunk.length;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return count;
}
