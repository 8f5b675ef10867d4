import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import type { ReadEnd } from '../../../model/entry.ts';

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
 * What follows an earlier reading of a file in chunks, or all of it.
 *
 *     chunksFrom(input, path, context.growing?.endOf(path))
 *
 * @param end Where that reading ended (`GrowingFiles.endOf`).
 * @throws TypeError for a file that is packed: the caller asked for an end that there cannot be.
 */
export function chunksFrom(
  input: ExportInput,
  path: string,
  end: Pick<ReadEnd, 'byteOffset'> | undefined,
): AsyncIterable<Uint8Array> {
  if (end === undefined) return input.open(path);
  const file = input.growing?.(path);
  if (file === undefined) throw new TypeError(`Cannot go on reading "${path}": it is packed`);
  return file.openAt(end.byteOffset);
}

/** Bytes that are in memory already, as a file gives them: for reading a beginning the way the whole file is read. */
export async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
