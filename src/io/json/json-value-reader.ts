import { asBuffer } from '../as-buffer.ts';
import {
  type CheckedJsonOptions,
  elementFault,
  type JsonFault,
  type JsonValue,
  parseJson,
  tooDeep,
} from './json-element.ts';
import { JsonExtent } from './json-extent.ts';

/** What becomes of a value's bytes: parsed when they are all there, or only passed over. */
export type JsonInterest = 'read' | 'skip';

/**
 * Collects the bytes of one value after another out of chunks, and parses each when its end has been seen. What is too deep
 * or too large is a fault, and its bytes are not kept.
 *
 * Memory: the value that is being read.
 */
export class JsonValueReader {
  /** Where the value begins in its file. */
  byteOffset = 0;
  readonly #options: CheckedJsonOptions;
  readonly #extent: JsonExtent;
  #interest: JsonInterest = 'read';
  #pieces: Uint8Array[] = [];
  #byteCount = 0;
  #fault: JsonFault | undefined;

  constructor(options: CheckedJsonOptions) {
    this.#options = options;
    this.#extent = new JsonExtent(options.depthMax);
  }

  /** @param first The value's first byte; `read` begins with it. Not a closing bracket. */
  begin(first: number, byteOffset: number, interest: JsonInterest, fault?: JsonFault): void {
    this.byteOffset = byteOffset;
    this.#extent.begin(first);
    this.#interest = interest;
    this.#pieces = [];
    this.#byteCount = 0;
    this.#fault = fault;
  }

  get state(): JsonExtent['state'] {
    return this.#extent.state;
  }

  /**
   * Takes the value's bytes in this chunk, and says where they end: behind the last one, at the end of the chunk while the
   * value is open, at the bracket that does not fit. The chunk may be reused afterwards, unless the value ended.
   */
  read(chunk: Uint8Array, from: number): number {
    const end = this.#extent.find(chunk, from);
    if (this.#interest === 'skip') return end;
    this.#byteCount += end - from;
    if (this.#extent.isTooDeep) this.#fault ??= tooDeep(this.#options).fault;
    if (this.#byteCount > this.#options.elementBytesMax) {
      this.#fault ??= elementFault('too-large', `it has more than ${this.#options.elementBytesMax} bytes`).fault;
    }
    const piece = chunk.subarray(from, end);
    if (this.#fault !== undefined) this.#pieces = [];
    else this.#pieces.push(this.state === 'ended' ? piece : new Uint8Array(piece));
    return end;
  }

  /** The value that has ended. */
  take(): JsonValue {
    if (this.#fault !== undefined) return { fault: this.#fault };
    const [only, ...more] = this.#pieces;
    this.#pieces = [];
    const bytes = more.length === 0 ? asBuffer(only!) : Buffer.concat([only!, ...more]);
    return parseJson(bytes, this.byteOffset, this.#options);
  }
}
