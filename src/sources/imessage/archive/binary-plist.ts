/**
 * Reads binary property lists: https://opensource.apple.com/source/CF/CF-635/CFBinaryPList.c (looked at 2026-11).
 *
 *     "bplist00"  objects …  offsets of the objects …  trailer of 32 bytes
 *
 * An object begins with a byte of its kind and its length. Lists and dictionaries name their members by number.
 */

export type PlistValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | PlistReference
  | readonly PlistValue[]
  | PlistDictionary;
export type PlistDictionary = ReadonlyMap<string, PlistValue>;

/** In an archive of NSKeyedArchiver: the number of an object in its list. */
export class PlistReference {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

const trailerBytes = 32;
/** Lists inside of lists, and values in all: what archives of a message have, many times over. */
const depthMax = 32;
const valuesMax = 100_000;

export const isBinaryPlist = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'bplist';

/** @throws RangeError if the bytes are no such list, or hold more than a message can. */
export function readBinaryPlist(bytes: Uint8Array): PlistValue {
  if (!isBinaryPlist(bytes) || bytes.length < 8 + trailerBytes) throw new RangeError('Expected a binary property list');
  return new BinaryPlist(bytes).root();
}

export const asDictionary = (value: PlistValue | undefined): PlistDictionary | undefined =>
  value instanceof Map ? (value as PlistDictionary) : undefined;

export const asList = (value: PlistValue | undefined): readonly PlistValue[] =>
  Array.isArray(value) ? (value as readonly PlistValue[]) : [];

class BinaryPlist {
  readonly #bytes: Buffer;
  readonly #offsetBytes: number;
  readonly #referenceBytes: number;
  readonly #count: number;
  readonly #top: number;
  readonly #table: number;
  #left = valuesMax;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const trailer = bytes.length - trailerBytes;
    this.#offsetBytes = this.#bytes[trailer + 6]!;
    this.#referenceBytes = this.#bytes[trailer + 7]!;
    this.#count = this.#integer(trailer + 8, 8);
    this.#top = this.#integer(trailer + 16, 8);
    this.#table = this.#integer(trailer + 24, 8);
  }

  root(): PlistValue {
    return this.#object(this.#top, 0);
  }

  #object(index: number, depth: number): PlistValue {
    if (index >= this.#count || depth > depthMax || --this.#left < 0) throw new RangeError('Too many values');
    const at = this.#integer(this.#table + index * this.#offsetBytes, this.#offsetBytes);
    const marker = this.#byte(at);
    const [kind, low] = [marker >> 4, marker & 0x0f];
    switch (kind) {
      case 0x0:
        return low === 8 ? false : low === 9 ? true : null;
      case 0x1:
        return this.#integer(at + 1, 2 ** low);
      case 0x2:
      case 0x3:
        return low === 2 ? this.#slice(at + 1, 4).readFloatBE() : this.#slice(at + 1, 8).readDoubleBE();
      case 0x8:
        return new PlistReference(this.#integer(at + 1, low + 1));
      default:
        return this.#sized(kind, at, depth);
    }
  }

  /** What has a length: bytes, texts, lists and dictionaries. */
  #sized(kind: number, at: number, depth: number): PlistValue {
    const { length, start } = this.#lengthAt(at);
    switch (kind) {
      case 0x4:
        return this.#slice(start, length);
      case 0x5:
        return this.#slice(start, length).toString('latin1');
      case 0x6:
        return Buffer.from(this.#slice(start, length * 2))
          .swap16()
          .toString('utf16le');
      case 0xa:
      case 0xc:
        return this.#members(start, length).map((index) => this.#object(index, depth + 1));
      case 0xd: {
        const keys = this.#members(start, length);
        const values = this.#members(start + length * this.#referenceBytes, length);
        return new Map(
          keys.map((key, index) => [String(this.#object(key, depth + 1)), this.#object(values[index]!, depth + 1)]),
        );
      }
      default:
        throw new RangeError('Unknown kind');
    }
  }

  #lengthAt(at: number): { readonly length: number; readonly start: number } {
    const low = this.#byte(at) & 0x0f;
    if (low < 0x0f) return { length: low, start: at + 1 };
    const bytes = 2 ** (this.#byte(at + 1) & 0x0f);
    return { length: this.#integer(at + 2, bytes), start: at + 2 + bytes };
  }

  #members(start: number, length: number): number[] {
    const bytes = this.#referenceBytes;
    this.#slice(start, length * bytes);
    return Array.from({ length }, (_, index) => this.#integer(start + index * bytes, bytes));
  }

  #byte(at: number): number {
    return this.#slice(at, 1)[0]!;
  }

  /** Big-endian; of 8 bytes with its sign, as others never are negative. */
  #integer(at: number, bytes: number): number {
    const slice = this.#slice(at, bytes);
    if (bytes === 8) return Number(slice.readBigInt64BE());
    if (bytes === 16) return Number(slice.readBigInt64BE(8));
    if (bytes < 1 || bytes > 6) throw new RangeError('Unknown size');
    return slice.readUIntBE(0, bytes);
  }

  #slice(at: number, length: number): Buffer {
    const isInside = at >= 0 && length >= 0 && at + length <= this.#bytes.length;
    if (!isInside) throw new RangeError('Too short');
    return this.#bytes.subarray(at, at + length);
  }
}
