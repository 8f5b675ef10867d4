import { asBuffer } from '../bytes.ts';
import { scanText, ToUtf8 } from '../to-utf8.ts';
import { type CheckedJsonOptions, type JsonFault, type JsonOptions, parseJson, withDefaults } from './json-element.ts';
import { isSpace, describeByte } from './json-fault.ts';
import { type JsonListElement, JsonListScanner } from './json-lists.ts';

/** One element of an array, or why it could not be read. */
export type JsonElement =
  | { readonly index: number; readonly value: unknown; readonly error?: never }
  | { readonly index: number; readonly error: JsonFault; readonly value?: never };

/**
 * The elements of the JSON array that a file is, one by one, however large the file. UTF-8 or UTF-16.
 *
 * Never throws for what is in the file: a broken element is an error in its place, and one last error with scope `rest` stands
 * for what cannot be read (a cut-off file, brackets that do not match, no array at all). A fault of `chunks` itself
 * is thrown after everything before it has been yielded.
 *
 * Offsets in reasons count bytes of the file; in UTF-16, bytes of the same text in UTF-8.
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  options: JsonOptions = {},
): AsyncGenerator<JsonElement> {
  for await (const elements of scanText(chunks, (markBytes) => new ArrayScanner(withDefaults(options), markBytes)))
    yield* elements;
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
  const scanner = new ArrayScanner(checked, text.markBytes);
  return { ok: false, elements: [...scanner.push(utf8), ...scanner.end()] };
}

const openBracket = 0x5b;

/** The list that a file is: nothing but an array counts, and its elements have numbers. */
class ArrayScanner {
  readonly #scanner: JsonListScanner;
  #hasBegun = false;
  #isNoArray = false;
  #nextIndex = 0;

  constructor(options: CheckedJsonOptions, byteOffset: number) {
    this.#scanner = new JsonListScanner([], options, byteOffset);
  }

  /** Whether anything that may still come would be ignored. */
  get isDone(): boolean {
    return this.#isNoArray || this.#scanner.isDone;
  }

  /** The elements that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): readonly JsonElement[] {
    if (!this.#hasBegun) {
      const first = chunk.find((byte) => !isSpace(byte));
      this.#hasBegun = first !== undefined;
      if (first !== undefined && first !== openBracket) return [this.#noArray(wordFor(first))];
    }
    return this.#scanner.push(chunk).map((element) => this.#numbered(element));
  }

  /** Nothing more will come: the error that stands for what is missing, if something is. */
  end(): readonly JsonElement[] {
    if (this.#isNoArray) return [];
    if (!this.#hasBegun) return [this.#noArray('nothing')];
    return this.#scanner.end().map((element) => this.#numbered(element));
  }

  #noArray(found: string): JsonElement {
    this.#isNoArray = true;
    return { index: 0, error: { code: 'not-an-array', scope: 'rest', reason: `expected an array, found ${found}` } };
  }

  /** Numbers an element that follows the array like one more element: it has no pointer. */
  #numbered({ pointer, value, error }: JsonListElement): JsonElement {
    const index = pointer === '' ? this.#nextIndex : Number(pointer.slice(1));
    this.#nextIndex = index + 1;
    return error ? { index, error: rephraseForArray(error) } : { index, value };
  }
}

function rephraseForArray(error: JsonFault): JsonFault {
  if (error.scope !== 'rest') return error;
  const reason = error.reason
    .replace('inside this value', 'inside this element')
    .replace('before its brackets are closed', 'before its array does')
    .replace(
      /^expected the end of the file, (found .*) \(byte \d+\)$/s,
      'expected the end of the file behind its array, $1',
    );
  return { ...error, reason };
}

function wordFor(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '{') return 'an object';
  if (character === '"') return 'a string';
  if (/[-\d]/.test(character)) return 'a number';
  if (character === '<') return '"<" (an HTML page?)';
  return describeByte(byte);
}
