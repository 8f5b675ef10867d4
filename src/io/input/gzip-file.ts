import { createGunzip } from 'node:zlib';
import { SourceError } from '../../lib/errors.ts';
import { type Caps, unpackedBytesAllowed } from './caps.ts';
import type { FileStat } from './export-input.ts';
import { errorCode } from './file-errors.ts';
import type { NamedFile } from './file-input.ts';
import { fingerprintOf } from './fingerprint.ts';
import { inflateSteps, type PackedSource } from '../zip/inflate-steps.ts';
import { bytesAt, chunksOfFile, type RegularFile, withRegularFile } from './regular-file.ts';

/** Packed files up to this size are unpacked once to learn their size. */
const countedBytesMax = 16 * 2 ** 20;

/**
 * A `.gz` of one file; several members, one after another, are one file. What is readable of a cut-off or damaged file
 * is yielded before the SourceError.
 *
 * @param path Inside the input, for messages and locations.
 */
export function gzipFile(realPath: string, path: string, caps: Caps): NamedFile {
  const open = () => unpack(realPath, path, caps);
  return { realPath, isPacked: true, open, stat: () => statOf(realPath, open) };
}

async function* unpack(realPath: string, path: string, caps: Caps): AsyncGenerator<Uint8Array> {
  const allowed = unpackedBytesAllowed(
    withRegularFile(realPath, ({ sizeBytes }) => sizeBytes),
    caps,
  );
  let count = 0;
  try {
    for await (const chunk of inflateSteps(packedSource(realPath))) {
      count += chunk.length;
      if (count > allowed) throw tooMuch(path, allowed);
      yield chunk;
    }
  } catch (error) {
    throw damaged(error, path) ?? error;
  }
}

function packedSource(realPath: string): PackedSource {
  return {
    chunks: () => chunksOfFile(realPath, 32 * 1024),
    decoder: () => createGunzip({ chunkSize: 64 * 1024 }),
  };
}

/** What zlib says about broken data, in our words; nothing if the error is something else. */
function damaged(error: unknown, path: string): SourceError | undefined {
  const code = errorCode(error);
  if (code === undefined || !code.startsWith('Z_')) return undefined;
  const what = code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is damaged';
  return new SourceError(`Cannot unpack the whole gzip file: ${what}`, {
    hint: 'Copy or download it again; what could be unpacked was read',
    location: { path },
    cause: error,
  });
}

function tooMuch(path: string, allowed: number): SourceError {
  return new SourceError(`Cannot unpack the whole gzip file: it has more than ${allowed} bytes`, {
    hint: 'If this is a real export, unpack it yourself and pass the file',
    location: { path },
  });
}

/**
 * The fingerprint is that of the packed file. A gzip file does not say its size reliably (modulo 4 GiB, and only of its last
 * member), so up to 16 MiB it is counted; the size of a larger one is at least what is said here.
 */
async function statOf(realPath: string, open: () => AsyncIterable<Uint8Array>): Promise<FileStat> {
  const { sizeBytes: packedBytes, fingerprint } = withRegularFile(realPath, fingerprintOf);
  if (packedBytes > countedBytesMax) {
    return { sizeBytes: Math.max(packedBytes, withRegularFile(realPath, saidSize)), fingerprint };
  }
  return { sizeBytes: await countedSize(open()), fingerprint };
}

function saidSize({ fd, sizeBytes }: RegularFile): number {
  return bytesAt(fd, sizeBytes - 4, 4).readUInt32LE();
}

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
