const blockBytes = 512;
/** As the decoder has it: longer ones end an archive there. */
const metaBytesMax = 8 * 1024 * 1024;

/** An entry without a body, whatever size its header names: links, devices, folders. */
const bodyless = /^[1-6]$/;

/**
 * Follows the headers of an archive and notes the type of each entry as it is written there: the decoder takes a type that it does not
 * know for a file. It leaves out the blocks with which old GNU tar continues the header of a file with holes, for the decoder does not
 * know them.
 *
 *     const headers = new TarHeaders();
 *     for await (const entry of decode(headers.follow(chunks))) types.push(headers.nextType());
 */
export class TarHeaders {
  /** Types of entries that the decoder has not yielded yet: as many as one chunk has headers. */
  readonly #types: string[] = [];
  /** Bytes of the body that are still to come, with what fills its last block. */
  #bodyBytes = 0;
  #isContinued = false;
  #attributes: AttributeBody | undefined;
  #size: number | undefined;
  #globalSize: number | undefined;

  /** Returns the type of the entry that the decoder yielded next: one character. */
  nextType(): string {
    return this.#types.shift() ?? '';
  }

  async *follow(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let held: Uint8Array = new Uint8Array(0);
    for await (const chunk of chunks) {
      let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      while (rest.length > 0) {
        const length = this.#isInBody ? Math.min(this.#bodyBytes, rest.length) : blockBytes;
        if (rest.length < length) break;
        const piece = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (this.#takes(piece)) yield piece;
      }
      held = rest;
    }
    if (held.length > 0) yield held;
  }

  get #isInBody(): boolean {
    return this.#bodyBytes > 0 && !this.#isContinued;
  }

  /** Whether the decoder gets the piece. */
  #takes(piece: Uint8Array): boolean {
    if (this.#isInBody) {
      this.#attributes?.pieces.push(piece);
      this.#bodyBytes -= piece.length;
      if (this.#bodyBytes === 0) this.#endBody();
    } else if (this.#isContinued) {
      this.#isContinued = piece[504] !== 0;
      return false;
    } else if (piece[0] !== 0) this.#begin(piece);
    return true;
  }

  #begin(header: Uint8Array): void {
    const type = String.fromCharCode(header[156]!);
    const size = numberIn(header.subarray(124, 136));
    if (/^[xgLK]$/.test(type)) {
      if ((type === 'x' || type === 'g') && size <= metaBytesMax)
        this.#attributes = { isGlobal: type === 'g', size, pieces: [] };
      this.#expect(size);
      if (size === 0) this.#endBody();
      return;
    }
    this.#types.push(type);
    this.#isContinued = type === 'S' && header[482] !== 0;
    this.#expect(bodyless.test(type) ? 0 : (this.#size ?? this.#globalSize ?? size));
    this.#size = undefined;
  }

  #expect(size: number): void {
    this.#bodyBytes = Math.ceil(size / blockBytes) * blockBytes;
  }

  #endBody(): void {
    const attributes = this.#attributes;
    this.#attributes = undefined;
    if (attributes === undefined) return;
    const found = sizeIn(Buffer.concat(attributes.pieces).subarray(0, attributes.size));
    if (!attributes.isGlobal) this.#size = found;
    else if (found !== undefined) this.#globalSize = found;
  }
}

interface AttributeBody {
  readonly isGlobal: boolean;
  readonly size: number;
  readonly pieces: Uint8Array[];
}

/** Reads octal digits, or a big number after a byte with its highest bit set. Anything that is no number is 0: the decoder ends there. */
function numberIn(field: Uint8Array): number {
  if (field[0]! & 0x80) return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, field[0]! & 0x7f);
  const digits = /^[ 0-7]*/.exec(Buffer.from(field).toString('latin1'))![0].replaceAll(' ', '');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** `size` among records such as `18 size=8589934592\n`, which begin with their own length. The last one counts. */
function sizeIn(body: Buffer): number | undefined {
  let size: number | undefined;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number.parseInt(body.toString('latin1', at, space), 10);
    if (!(length > 0)) break;
    const value = /^size=(\d+)$/.exec(body.toString('latin1', space + 1, at + length - 1))?.[1];
    if (value !== undefined && Number.isSafeInteger(Number(value))) size = Number(value);
    at += length;
  }
  return size;
}
