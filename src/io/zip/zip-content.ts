import { formatCount } from '../../lib/text/count.ts';
import { zlib } from '../../lib/late.ts';
import { errorCode } from '../input/file-errors.ts';
import { inflateSteps } from './inflate-steps.ts';
import { chunksAt, type ReadWindow } from '../input/regular-file.ts';
import type { ZipEntry } from './zip-entries.ts';
import { localHeaderBytes, methodDeflate } from './zip-entry-fault.ts';

const localSignature = 0x04034b50;

/** The content of one entry is broken. Code that knows the archive's name turns it into a SourceError. */
export class ZipContentError extends Error {
  override readonly name = 'ZipContentError';
}

/** A whole entry, checked against its size and checksum: the fast way for small ones. The buffer is the caller's. */
export function readContent(window: ReadWindow, entry: ZipEntry): Uint8Array {
  const start = dataStart(window, entry);
  const packed = window.bytesAt(start, entry.packedBytes);
  if (packed.length < entry.packedBytes) throw new ZipContentError('the archive has become shorter');
  const content = entry.method === methodDeflate ? inflateWhole(packed, entry.sizeBytes) : Buffer.from(packed);
  assertSize(content.length, entry);
  assertChecksum(zlib().crc32(content), entry);
  return content;
}

/** An entry of any size in chunks. Everything before a fault is yielded before it is thrown. */
export async function* contentChunks(window: ReadWindow, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = dataStart(window, entry);
  const isDeflated = entry.method === methodDeflate;
  const packed = (size: number) => chunksAt(window.fd, start, start + entry.packedBytes, size);
  const decoder = () => zlib().createInflateRaw({ chunkSize: 64 * 1024 });
  const chunks = isDeflated ? inflateSteps({ chunks: () => packed(32 * 1024), decoder }) : packed(256 * 1024);
  let crc = 0;
  let count = 0;
  try {
    for await (const chunk of chunks) {
      const room = entry.sizeBytes - count;
      count += chunk.length;
      crc = zlib().crc32(chunk, crc);
      yield chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (count > entry.sizeBytes) assertSize(count, entry);
    }
  } catch (error) {
    throw inflateError(error) ?? error;
  }
  assertSize(count, entry);
  assertChecksum(crc, entry);
}

/** Behind the local header, whose extra fields may have another length than those in the central directory. */
function dataStart(window: ReadWindow, { offset, packedBytes, limit }: ZipEntry): number {
  const header = window.bytesAt(offset, localHeaderBytes);
  if (header.length < localHeaderBytes || header.readUInt32LE() !== localSignature) {
    throw new ZipContentError('there is no local header at its place');
  }
  const start = offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + packedBytes > limit) throw new ZipContentError('its data reaches into the next entry');
  return start;
}

/** Into one byte more than declared, so that a longer result shows without a second round, and is never much longer. */
function inflateWhole(packed: Buffer, sizeBytes: number): Buffer {
  const room = sizeBytes + 1;
  try {
    return zlib().inflateRawSync(packed, { chunkSize: Math.max(64, room), maxOutputLength: room });
  } catch (error) {
    throw inflateError(error) ?? error;
  }
}

function assertSize(count: number, { sizeBytes }: ZipEntry): void {
  if (count === sizeBytes) return;
  const found = count > sizeBytes ? 'more' : formatCount(count);
  throw new ZipContentError(`expected ${formatCount(sizeBytes)} bytes, found ${found}`);
}

function assertChecksum(crc: number, entry: ZipEntry): void {
  if (crc === entry.crc) return;
  throw new ZipContentError(`expected checksum ${hex(entry.crc)}, found ${hex(crc)}`);
}

function inflateError(error: unknown): ZipContentError | undefined {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return new ZipContentError('it unpacks to more bytes than it says', { cause: error });
  if (code === 'Z_BUF_ERROR') return new ZipContentError('its packed data ends too early', { cause: error });
  if (code?.startsWith('Z_')) return new ZipContentError('its packed data is damaged', { cause: error });
  return undefined;
}

/** As checksums are usually written, `zip -v` among others. */
export const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
