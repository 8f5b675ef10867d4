import type { ExportInput } from '../../../io/input/export-input.ts';
import { type JsonElement, parseJsonArrayFile, readJsonArray } from '../../../io/json/json-array.ts';
import type { JsonFault } from '../../../io/json/json-element.ts';
import { SourceError } from '../../../lib/errors.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { RowProblem } from '../entries.ts';
import { jsonRowFault } from './json-rows.ts';
import { wholeFile } from '../files/file-bytes.ts';
import { unreadableReason } from '../files/read-files.ts';

/** An array element that cannot be read, or everything from it on. */
export interface ArrayFault extends RowProblem {
  readonly location: Location;
}

/** Some elements of a file's array, in order. */
export interface ArrayBatch {
  readonly firstIndex: number;
  readonly values: readonly unknown[];
  /** Fault directly after `values`; absent if there is none. */
  readonly fault?: ArrayFault;
}

/** Up to here a file is read in one piece, which is several times faster. Day files rarely reach 1 MiB. */
const wholeFileBytesMax = 8 * 1024 * 1024;

/** Memory for a larger file: this many elements, half a megabyte of usual messages, or so many characters of what they say. */
const batchSizeMax = 250;
const batchTextMax = 1024 * 1024;

/**
 * The elements of the array that a file of an export is. An element that cannot be read is a fault in its place: nothing is thrown,
 * and the elements before it are read.
 *
 *     for await (const { firstIndex, values, fault } of readArrayFile(input, 'general/2024-03-01.json')) {
 *       for (const [index, value] of values.entries()) …  // at { path, pointer: `/${firstIndex + index}` }
 *       if (fault) yield invalidEntry(fault.code, fault.reason, fault.location);
 *     }
 */
export async function* readArrayFile(input: ExportInput, path: string): AsyncGenerator<ArrayBatch> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await wholeFile(input, path, wholeFileBytesMax);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return yield { firstIndex: 0, values: [], fault: unreadable(error, path, 0) };
  }
  const file = bytes && parseJsonArrayFile(bytes);
  if (file?.ok) yield { firstIndex: 0, values: file.value };
  else yield* readBatches(file?.elements ?? readJsonArray(input.open(path)), path);
}

async function* readBatches(
  elements: Iterable<JsonElement> | AsyncIterable<JsonElement>,
  path: string,
): AsyncGenerator<ArrayBatch> {
  let values: unknown[] = [];
  let text = 0;
  let firstIndex = 0;
  try {
    for await (const element of elements) {
      text += textIn(element.value);
      if (element.error) yield { firstIndex, values, fault: toFault(element.error, path, element.index) };
      else if (values.push(element.value) < batchSizeMax && text < batchTextMax) continue;
      else yield { firstIndex, values };
      firstIndex = element.index + 1;
      values = [];
      text = 0;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return yield { firstIndex, values, fault: unreadable(error, path, firstIndex + values.length) };
  }
  if (values.length > 0) yield { firstIndex, values };
}

/** Counts the characters in an element itself, not in nested objects. */
function textIn(value: unknown): number {
  let text = 0;
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) if (typeof part === 'string') text += part.length;
  return text;
}

const unreadable = (error: SourceError, path: string, index: number): ArrayFault => ({
  code: 'unreadable-file',
  reason: unreadableReason(error, index > 0),
  location: index === 0 ? { path } : { path, pointer: `/${index}` },
});

function toFault(error: JsonFault, path: string, index: number): ArrayFault {
  const { code, reason } = jsonRowFault(error);
  return { code, reason, location: error.code === 'not-an-array' ? { path } : { path, pointer: `/${index}` } };
}
