/** Levels of values in values. Those of Parquet have less than ten. */
const depthMax = 32;

/**
 * Checks a structure of Thrift's compact protocol before the package reads it: it makes room for as many elements as a list says that it has.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md, looked up in 2026-11.
 *
 * @returns The position behind it.
 * @throws RangeError if it is cut off, or a size cannot be.
 */
export const checkThrift = (bytes: DataView, offset: number): number => new ThriftCheck(bytes, offset).struct(0);

class ThriftCheck {
  readonly #bytes: DataView;
  #offset: number;

  constructor(bytes: DataView, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  struct(depth: number): number {
    if (depth > depthMax) throw new RangeError('a header is too deep');
    for (;;) {
      const byte = this.#byte();
      if ((byte & 15) === 0) return this.#offset;
      if (byte >> 4 === 0) this.#varint();
      // True and false of a field are in its head.
      if ((byte & 15) > 2) this.#value(byte & 15, depth);
    }
  }

  #value(type: number, depth: number): void {
    if (type <= 3) this.#skip(1);
    else if (type <= 6) this.#varint();
    else if (type === 7) this.#skip(8);
    else if (type === 8) this.#skip(this.#varint());
    else if (type === 9) this.#list(depth + 1);
    else if (type === 12) this.struct(depth + 1);
    else throw new RangeError(`a header has a value of the unknown type ${type}`);
  }

  #list(depth: number): void {
    if (depth > depthMax) throw new RangeError('a header is too deep');
    const byte = this.#byte();
    const count = byte >> 4 === 15 ? this.#varint() : byte >> 4;
    const left = this.#bytes.byteLength - this.#offset;
    if (count > left) throw new RangeError(`a list would have ${count} elements in ${left} bytes`);
    for (let at = 0; at < count; at += 1) this.#value(byte & 15, depth);
  }

  #byte(): number {
    return this.#bytes.getUint8(this.#offset++);
  }

  #skip(byteCount: number): void {
    this.#offset += byteCount;
    if (this.#offset > this.#bytes.byteLength) throw new RangeError('a header is cut off');
  }

  /** Exact up to 53 bits, which is more than any size; larger ones stay too large. */
  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 63) throw new RangeError('a number of a header is too long');
    }
  }
}
