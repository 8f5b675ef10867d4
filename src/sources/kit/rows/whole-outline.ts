import type { ExportInput } from '../../../io/input/export-input.ts';
import { compactJson } from '../../../io/json/compact-json.ts';
import { SourceError } from '../../../lib/errors.ts';
import { headOrNothing } from '../files/file-bytes.ts';
import { type JsonOutline, OutlineReader } from './json-outline.ts';

/** Facts about a JSON file up to some position. */
export interface FileOutline {
  /** How the file begins, without a byte order mark and spaces; empty where it cannot be read. */
  readonly head: string;
  readonly outline: JsonOutline;
  /** Whether this is the whole file: facts missing now will not follow. */
  readonly isWhole: boolean;
  /** Whether a key, at any place in what was looked at, holds a list: one that is empty is in no outline. */
  holdsList(key: string): boolean;
}

/** First part of a file that most sources look at. */
export const headBytes = 64 * 1024;

/**
 * Identifies a JSON file by its keys. Calls `decide` with the beginning of the file and, as long as it returns nothing,
 * with more and more of the file. So exports of many small files are not read twice, and in a large file the decisive
 * keys may be anywhere.
 *
 * const layout = await decideByOutline(input, path, 64 * 1024, ({ outline }) => …);
 *
 * Memory: the outline, and a chunk.
 *
 * @param headBytes Size of the first part.
 * @returns undefined if nothing in the whole file is decisive. The part that cannot be read counts as absent.
 */
export async function decideByOutline<T>(
  input: ExportInput,
  path: string,
  headBytes: number,
  decide: (outline: FileOutline) => T | undefined,
): Promise<T | undefined> {
  const { bytes, isFile } = await headWithFirstRow(input, path, headBytes);
  const head = new TextDecoder().decode(bytes).trimStart();
  const reader = new OutlineReader();
  reader.push(head);
  const { outline } = reader;
  const holdsList = (key: string) => reader.lists.has(key);
  const isAll = isFile || !/^[[{]/.test(head);
  const first = decide({ head, outline, holdsList, isWhole: isAll });
  if (first !== undefined || isAll) return first;
  for await (const piece of piecesBehind(input, path, bytes.length)) {
    reader.push(piece);
    const found = decide({ head, outline, holdsList, isWhole: false });
    if (found !== undefined) return found;
  }
  reader.end();
  return decide({ head, outline, holdsList, isWhole: true });
}

/** A first row of any length: the longest message that a chat takes is a tenth of it. */
const rowBytesMax = 2 ** 20;

/** Reads the beginning of a file. Whether its rows are lines shows only at the end of the first row, which may be longer than others. */
async function headWithFirstRow(input: ExportInput, path: string, headBytes: number) {
  const bytes = await headOrNothing(input, path, headBytes);
  if (bytes.length < headBytes || bytes[0] !== brace || bytes.includes(lineFeed))
    return { bytes, isFile: bytes.length < headBytes };
  const more = await headOrNothing(input, path, rowBytesMax);
  return { bytes: more, isFile: more.length < rowBytesMax };
}

const [brace, lineFeed] = [0x7b, 0x0a];

/** Reads the rest of a file after the bytes of its head, up to where it can be read. */
async function* piecesBehind(input: ExportInput, path: string, byteCount: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let left = byteCount;
  try {
    for await (const chunk of compactJson(input.open(path))) {
      const skipped = Math.min(left, chunk.length);
      left -= skipped;
      const piece = decoder.decode(chunk.subarray(skipped), { stream: true });
      if (piece !== '') yield piece;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}
