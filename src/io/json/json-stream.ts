import { asBuffer } from '../as-buffer.ts';
import { type JsonOptions, parseJson, withDefaults } from './json-element.ts';
import { JsonArrayScanner, type JsonElement } from './json-scanner.ts';
import { ToUtf8 } from '../to-utf8.ts';

export type { JsonFault, JsonOptions } from './json-element.ts';
export type { JsonElement } from './json-scanner.ts';

/**
 * The elements of the JSON array that a file is, one by one, however large the file. UTF-8 or UTF-16.
 *
 * Never throws for what is in the file: a broken element is an error in its place, and one last error with scope `rest` stands
 * for what cannot be read (a cut-off file, brackets that do not match, no array at all). A fault of `chunks` itself
 * is thrown after everything before it has been yielded.
 *
 * Offsets count bytes of the file; in UTF-16, bytes of the same text in UTF-8.
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  options: JsonOptions = {},
): AsyncGenerator<JsonElement> {
  const text = new ToUtf8();
  let scanner: JsonArrayScanner | undefined;
  for await (const chunk of chunks) {
    const bytes = text.push(chunk);
    if (bytes.length === 0) continue;
    scanner ??= new JsonArrayScanner(withDefaults(options), text.markBytes);
    for (const element of scanner.push(bytes)) yield element;
    if (scanner.isDone) return;
  }
  scanner ??= new JsonArrayScanner(withDefaults(options), text.markBytes);
  yield* scanner.push(text.end());
  yield* scanner.end();
}

/** A whole file: its array, or its elements with what is wrong among them. */
export type JsonArrayFile =
  | { readonly ok: true; readonly value: readonly unknown[] }
  | { readonly ok: false; readonly elements: readonly JsonElement[] };

/** The same for a file that is in memory: parsed at once, which is twice as fast, and scanned only if that fails. */
export function parseJsonArrayFile(bytes: Uint8Array, options: JsonOptions = {}): JsonArrayFile {
  const checked = withDefaults(options);
  const text = new ToUtf8();
  const pieces = [text.push(bytes), text.end()];
  const utf8 = pieces[1]!.length === 0 ? asBuffer(pieces[0]!) : Buffer.concat(pieces);
  if (utf8.length <= checked.elementBytesMax) {
    const result = parseJson(utf8, 0, { ...checked, depthMax: checked.depthMax + 1 });
    if ('value' in result && Array.isArray(result.value)) return { ok: true, value: result.value };
  }
  const scanner = new JsonArrayScanner(checked, text.markBytes);
  return { ok: false, elements: [...scanner.push(utf8), ...scanner.end()] };
}
