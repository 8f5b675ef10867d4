import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { StoreError } from '../../lib/errors.ts';
import { toStoreError } from '../../lib/sqlite.ts';

export interface PackedFile {
  readonly sizeBytes: number;
  /** SHA-256 of all its bytes, 64 hex digits. */
  readonly sha256: string;
}

/** Bytes that go through at once. */
const chunkBytes = 64 * 1024;

/**
 * The packed bytes are followed by their own digest, in a frame that every program for zstd skips (RFC 8878, 3.1.2):
 * magic number, length, 32 bytes. So a copy can be checked for completeness by itself.
 */
const sumHead = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
const sumBytes = sumHead.length + 32;

/** @param into Replaced. Half a file is left where this fails. @throws What the file system says. */
export async function packFile(path: string, into: string): Promise<PackedFile> {
  const own = createHash('sha256');
  const whole = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    createReadStream(path, { highWaterMark: chunkBytes }),
    createZstdCompress({ chunkSize: chunkBytes, params: { [constants.ZSTD_c_compressionLevel]: packingLevel } }),
    async function* (packed: AsyncIterable<Buffer>) {
      const note = (chunk: Buffer): Buffer => {
        whole.update(chunk);
        sizeBytes += chunk.length;
        return chunk;
      };
      for await (const chunk of packed) {
        own.update(chunk);
        yield note(chunk);
      }
      yield note(Buffer.concat([sumHead, own.digest()]));
    },
    createWriteStream(into, { mode: 0o600 }),
  );
  return { sizeBytes, sha256: whole.digest('hex') };
}

/** Zstd's own default: a window of 2 MB. */
const packingLevel = 3;

/** @param into There is nothing yet. Half a file is left where this fails. @throws StoreError if a byte is missing or is another; what the file system says of `into`. */
export async function unpackFile(path: string, into: string): Promise<void> {
  try {
    const { sum, end } = await readSum(path);
    // An option `end` is the last byte itself; a stream of none cannot be asked for.
    if (end < 1) throw damagedCopy(path);
    const own = createHash('sha256');
    await pipeline(
      createReadStream(path, { end: end - 1, highWaterMark: chunkBytes }),
      async function* (packed: AsyncIterable<Buffer>) {
        for await (const chunk of packed) {
          own.update(chunk);
          yield chunk;
        }
      },
      createZstdDecompress({ chunkSize: chunkBytes }),
      createWriteStream(into, { flags: 'wx', mode: 0o600 }),
    );
    if (!own.digest().equals(sum)) throw damagedCopy(path);
  } catch (error) {
    throw isPackingError(error) ? damagedCopy(path, error) : error;
  }
}

async function readSum(path: string): Promise<{ readonly sum: Buffer; readonly end: number }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw toStoreError(error, path) ?? error;
  });
  try {
    const end = (await file.stat()).size - sumBytes;
    if (end < 0) throw damagedCopy(path);
    const { buffer } = await file.read(Buffer.alloc(sumBytes), 0, sumBytes, end);
    if (!buffer.subarray(0, sumHead.length).equals(sumHead)) throw damagedCopy(path);
    return { sum: buffer.subarray(sumHead.length), end };
  } finally {
    await file.close();
  }
}

const isPackingError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code));

const damagedCopy = (path: string, cause?: unknown): StoreError =>
  new StoreError(`Cannot restore "${path}": the copy is damaged`, { path, hint: 'Take the copy before it', cause });
