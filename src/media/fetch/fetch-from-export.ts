import { createHash, hash } from 'node:crypto';
import { withEmbeddedPart } from '../../io/input/embedded-part.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SortedPaths } from '../../io/input/sorted-paths.ts';
import { SourceError } from '../../lib/errors.ts';
import { headBytes } from '../../lib/files/byte-marks.ts';
import type { Fetched, MediaOrigin } from './fetched.ts';
import { foundType } from './found-type.ts';
import { tooLarge } from './judge-answer.ts';
import { type SmallBuffers, smallBytesMax } from './small-buffers.ts';

/**
 * Fetches a file that is in the export itself. It is read once for its digest, and again when it is copied. Nothing of
 * it is stored on this disk. A file that is not in the listing of the export is missing, whatever a path leads to.
 *
 * @throws the signal's reason.
 */
export async function fetchFromExport(
  exported: ExportInput,
  path: string,
  origin: MediaOrigin,
  limits: { readonly maxBytes: number; readonly buffers: SmallBuffers; readonly signal: AbortSignal },
): Promise<Fetched> {
  limits.signal.throwIfAborted();
  const input = withEmbeddedPart(exported, path);
  if (new SortedPaths(await input.paths()).indexOf(path) < 0)
    return { kind: 'missing', why: 'it is not in the export' };
  try {
    return (await readSmall(input, path, origin, limits)) ?? (await goThrough(input, path, origin, limits));
  } catch (error) {
    limits.signal.throwIfAborted();
    // A damaged entry of an archive, or a file that was removed in the meantime.
    if (error instanceof SourceError) return { kind: 'missing', why: error.message };
    throw error;
  }
}

/** A file that the export calls small, and that is: held in memory, and read once instead of four times. */
async function readSmall(
  input: ExportInput,
  path: string,
  { name, mimeType, sizeBytes: announced = Number.POSITIVE_INFINITY }: MediaOrigin,
  { maxBytes, buffers }: { readonly maxBytes: number; readonly buffers: SmallBuffers },
): Promise<Fetched | undefined> {
  const bytesMax = Math.min(smallBytesMax, maxBytes);
  if (announced > bytesMax) return undefined;
  const buffer = buffers.take(announced);
  const bytes = await input.read(path, bytesMax, buffer).catch((error: unknown) => {
    // Larger than that, or unreadable: the full read will find out.
    if (error instanceof SourceError) return undefined;
    throw error;
  });
  if (!bytes) return undefined;
  let readers = 0;
  const type = foundType(bytes.subarray(0, headBytes), { header: '', exported: mimeType, name });
  const content = {
    sizeBytes: bytes.length,
    sha256: hash('sha256', bytes, 'hex'),
    foundType: type,
    async *open() {
      readers++;
      yield bytes;
      readers--;
    },
  };
  const release = async () => {
    // A reader that stopped early may still use the buffer.
    if (readers === 0) buffers.giveBack(buffer);
  };
  return { kind: 'fetched', content, release };
}

async function goThrough(
  input: ExportInput,
  path: string,
  { name, mimeType }: MediaOrigin,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Fetched> {
  const stat = await input.stat(path);
  if (stat.sizeBytes > maxBytes) return { kind: 'refused', why: tooLarge(maxBytes) };
  const digest = createHash('sha256');
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of input.open(path)) {
    signal.throwIfAborted();
    digest.update(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return { kind: 'refused', why: tooLarge(maxBytes) };
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
  }
  if ((await input.stat(path)).fingerprint !== stat.fingerprint)
    return { kind: 'again', why: 'it changed while it was read' };
  const sha256 = digest.digest('hex');
  const type = foundType(head, { header: '', exported: mimeType, name });
  const open = () => readAgain(input, path, { sizeBytes, fingerprint: stat.fingerprint });
  return { kind: 'fetched', content: { sizeBytes, sha256, foundType: type, open }, release: async () => {} };
}

/** @throws SourceError if the file cannot be read, or looks like another one by then. Its digest is compared by the location. */
async function* readAgain(
  input: ExportInput,
  path: string,
  known: { readonly sizeBytes: number; readonly fingerprint: string },
): AsyncGenerator<Uint8Array> {
  const changed = () =>
    new SourceError(`Cannot copy a file of "${input.label}": it changed after it was inspected`, {
      location: { path },
    });
  let bytes = 0;
  for await (const chunk of input.open(path)) {
    bytes += chunk.length;
    if (bytes > known.sizeBytes) throw changed();
    yield chunk;
  }
  if (bytes < known.sizeBytes || (await input.stat(path)).fingerprint !== known.fingerprint) throw changed();
}
