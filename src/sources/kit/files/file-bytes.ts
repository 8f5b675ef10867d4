import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';

/**
 * Returns the first bytes of a file, for probing, or none if the file cannot be read: a probe never throws. The reader
 * of the file reports the reason.
 *
 * const head = Buffer.from(await headOrNothing(input, path, 4096)).toString('latin1'); // headText: as UTF-8
 */
export async function headOrNothing(input: ExportInput, path: string, byteCount: number): Promise<Uint8Array> {
  try {
    return await input.head(path, byteCount);
  } catch (error) {
    if (error instanceof SourceError) return new Uint8Array();
    throw error;
  }
}

/** The same, as UTF-8. */
export const headText = async (input: ExportInput, path: string, byteCount: number): Promise<string> =>
  Buffer.from(await headOrNothing(input, path, byteCount)).toString('utf8');

/**
 * Reads a whole file, which is several times faster than in chunks.
 *
 * @returns undefined if it is too large for one piece.
 * @throws SourceError if it is damaged. None of it can be trusted, because damaged bytes may unpack to other messages.
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
