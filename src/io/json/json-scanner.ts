import { type CheckedJsonOptions, elementFault, type JsonFault } from './json-element.ts';
import { isSpace, nameOfByte } from './json-fault.ts';
import { JsonValueReader } from './json-value-reader.ts';

/** One element of an array, or why it could not be read. */
export type JsonElement =
  | { readonly index: number; readonly byteOffset: number; readonly value: unknown; readonly error?: never }
  | { readonly index: number; readonly byteOffset: number; readonly error: JsonFault; readonly value?: never };

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Reads the elements of one array, in UTF-8 bytes that arrive in chunks. Between two bytes it is in one of these states:
 *
 *     start    "[" leads to value
 *     value    "]" leads to behind, anything else to inside
 *     inside   where the element ends, to between
 *     between  "," leads to value, "]" to behind
 *     behind   nothing but white space may follow
 *     done     an error stands for the rest, which is not read
 *
 * A broken element costs itself, because where it ends shows in brackets and quotes. Where they do not fit, or the bytes
 * end early, one error stands for the rest. An element behind a missing comma is an error too: nobody knows what stood there.
 *
 * Memory: the element that is being read.
 */
export class JsonArrayScanner {
  readonly #reader: JsonValueReader;
  #state: 'start' | 'value' | 'inside' | 'between' | 'behind' | 'done' = 'start';
  #index = 0;
  /** Of the chunk's first byte. */
  #chunkOffset: number;

  /** @param byteOffset Of the first byte in its file: what stood before (a byte order mark) counts in offsets. */
  constructor(options: CheckedJsonOptions, byteOffset = 0) {
    this.#reader = new JsonValueReader(options);
    this.#chunkOffset = byteOffset;
  }

  /** Whether anything that may still come would be ignored. */
  get isDone(): boolean {
    return this.#state === 'done';
  }

  get #isInside(): boolean {
    return this.#state === 'inside';
  }

  /** The elements that end in this chunk. The chunk may be reused afterwards. */
  *push(chunk: Uint8Array): Generator<JsonElement> {
    let at = 0;
    while (at < chunk.length && !this.isDone) {
      if (this.#isInside) {
        at = this.#reader.read(chunk, at);
        if (this.#reader.state === 'ended') yield this.#finish();
        else if (this.#reader.state === 'mismatched') yield this.#mismatch(chunk[at]!, this.#chunkOffset + at);
      } else if (isSpace(chunk[at])) {
        at += 1;
      } else {
        const error = this.#step(chunk[at]!, this.#chunkOffset + at);
        if (error !== undefined) yield error;
        if (!this.#isInside) at += 1;
      }
    }
    this.#chunkOffset += chunk.length;
  }

  /** Nothing more will come: the error that stands for what is missing, if something is. */
  *end(): Generator<JsonElement> {
    const state = this.#state;
    if (state === 'start') yield this.#rest('not-an-array', this.#chunkOffset, 'expected an array, found nothing');
    if (state === 'inside') yield this.#rest('cut-off', this.#reader.byteOffset, 'the file ends inside this element');
    if (state === 'value' || state === 'between') {
      yield this.#rest('cut-off', this.#chunkOffset, 'the file ends before its array does');
    }
  }

  /** Takes one byte outside of elements. One that begins an element is left to the extent. */
  #step(byte: number, offset: number): JsonElement | undefined {
    switch (this.#state) {
      case 'start':
        this.#state = 'value';
        return byte === openBracket
          ? undefined
          : this.#rest('not-an-array', offset, `expected an array, found ${kindOf(byte)}`);
      case 'behind':
        return this.#rest(
          'trailing',
          offset,
          `expected the end of the file behind its array, found ${nameOfByte(byte)}`,
        );
      case 'value':
        return this.#stepToValue(byte, offset);
      default:
        return this.#stepBetween(byte, offset);
    }
  }

  #stepToValue(byte: number, offset: number): JsonElement | undefined {
    if (byte === closeBrace) return this.#mismatch(byte, offset);
    if (byte !== comma && byte !== closeBracket) return this.#begin(byte, offset, undefined);
    const isEmptyArray = byte === closeBracket && this.#index === 0;
    if (byte === closeBracket) this.#state = 'behind';
    if (isEmptyArray) return undefined;
    return this.#error(
      offset,
      elementFault('syntax', `expected a value, found ${nameOfByte(byte)} (byte ${offset})`).fault,
    );
  }

  #stepBetween(byte: number, offset: number): JsonElement | undefined {
    if (byte === closeBrace) return this.#mismatch(byte, offset);
    if (byte === comma) this.#state = 'value';
    else if (byte === closeBracket) this.#state = 'behind';
    else return this.#begin(byte, offset, `expected "," before it, found ${nameOfByte(byte)} (byte ${offset})`);
    return undefined;
  }

  #begin(byte: number, offset: number, wrong: string | undefined): undefined {
    this.#state = 'inside';
    this.#reader.begin(byte, offset, 'read', wrong === undefined ? undefined : elementFault('syntax', wrong).fault);
  }

  #finish(): JsonElement {
    this.#state = 'between';
    const { byteOffset } = this.#reader;
    const result = this.#reader.take();
    if ('fault' in result) return this.#error(byteOffset, result.fault);
    return { index: this.#index++, byteOffset, value: result.value };
  }

  #error(byteOffset: number, error: JsonFault): JsonElement {
    return { index: this.#index++, byteOffset, error };
  }

  #mismatch(byte: number, offset: number): JsonElement {
    const start = this.#isInside ? this.#reader.byteOffset : offset;
    return this.#rest('syntax', start, `expected another bracket, found ${nameOfByte(byte)} (byte ${offset})`);
  }

  #rest(code: JsonFault['code'], byteOffset: number, reason: string): JsonElement {
    this.#state = 'done';
    return { index: this.#index, byteOffset, error: { code, scope: 'rest', reason } };
  }
}

/** What a JSON text that begins with this byte is. */
function kindOf(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '{') return 'an object';
  if (character === '"') return 'a string';
  if (/[-\d]/.test(character)) return 'a number';
  if (character === '<') return '"<" (an HTML page?)';
  return nameOfByte(byte);
}
