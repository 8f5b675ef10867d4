import type { ExportInput } from '../../io/input/export-input.ts';
import type { ReadEnd } from '../../model/entry.ts';

/** What follows an earlier reading of a file in chunks, or all of it. */
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
