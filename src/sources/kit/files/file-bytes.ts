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

/** Bytes that are in memory already, as a file gives them: for reading a beginning the way the whole file is read. */
export async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
