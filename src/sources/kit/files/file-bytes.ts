import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';

/**
 * The first bytes of a file, for probing; none of a file that cannot be read, for a probe never throws: whoever reads the file
 * says why.
 *
 *     const head = Buffer.from(await headOrNothing(input, path, 4096)).toString('latin1');
 */
export async function headOrNothing(input: ExportInput, path: string, byteCount: number): Promise<Uint8Array> {
  try {
    return await input.head(path, byteCount);
  } catch (error) {
    if (error instanceof SourceError) return new Uint8Array();
    throw error;
  }
}

/**
 * A whole file, which is several times faster to read than in chunks.
 *
 * @returns undefined where it is too large for one piece.
 * @throws SourceError if it is damaged: nothing of it is to be believed, for damaged bytes may well unpack to other messages.
 */
export async function wholeFile(input: ExportInput, path: string, bytesMax: number): Promise<Uint8Array | undefined> {
  try {
    return await input.read(path, bytesMax);
  } catch (error) {
    const isTooLarge = error instanceof SourceError && (await input.stat(path)).sizeBytes > bytesMax;
    if (isTooLarge) return undefined;
    throw error;
  }
}

/** Bytes that are in memory already, as a file gives them: for reading a beginning the way the whole file is read. */
export async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
