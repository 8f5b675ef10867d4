import { createHash } from 'node:crypto';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SortedPaths } from '../../io/input/sorted-paths.ts';
import { SourceError } from '../../lib/errors.ts';
import { headBytes } from './byte-marks.ts';
import { ContentOfExport } from './content-of-export.ts';
import type { Fetched, MediaOrigin } from './fetched.ts';
import { foundType } from './found-type.ts';
import { tooLarge } from './judge-answer.ts';

/**
 * A file that lies in the export itself: gone through once for its digest, and read again when it is copied. Nothing of it is
 * put down on this disk. What is not in the listing of the export is not there, whatever a path leads to.
 *
 * @throws the signal's reason.
 */
export async function fetchFromExport(
  input: ExportInput,
  path: string,
  origin: MediaOrigin,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Fetched> {
  limits.signal.throwIfAborted();
  if (new SortedPaths(await input.paths()).indexOf(path) < 0)
    return { kind: 'missing', why: 'it is not in the export' };
  try {
    return await goThrough(input, path, origin, limits);
  } catch (error) {
    limits.signal.throwIfAborted();
    // A damaged entry of an archive, a file that was removed meanwhile.
    if (error instanceof SourceError) return { kind: 'missing', why: error.message };
    throw error;
  }
}

async function goThrough(
  input: ExportInput,
  path: string,
  { name, mimeType }: MediaOrigin,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Fetched> {
  const stat = await input.stat(path);
  if (stat.sizeBytes > maxBytes) return { kind: 'refused', why: tooLarge(maxBytes) };
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of input.open(path)) {
    signal.throwIfAborted();
    hash.update(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return { kind: 'refused', why: tooLarge(maxBytes) };
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
  }
  if ((await input.stat(path)).fingerprint !== stat.fingerprint)
    return { kind: 'again', why: 'it changed while it was read' };
  const sha256 = hash.digest('hex');
  const content = new ContentOfExport(input, path, { sizeBytes, sha256, fingerprint: stat.fingerprint });
  const type = foundType(head, { header: '', exported: mimeType, name });
  return {
    kind: 'fetched',
    content: { sizeBytes, sha256, foundType: type, open: (from, to) => content.open(from, to) },
    release: () => content.release(),
  };
}
