import { formatCount } from '../../lib/text/count.ts';
import { asBuffer } from '../bytes.ts';

/** A part of a BSON stream, at its byte in the file. */
export type BsonPiece =
  /** A whole document. Nothing but its frame was checked: its length, and the zero at its end. */
  | { readonly type: 'document'; readonly byteOffset: number; readonly bytes: Buffer }
  /** Four bytes of 255, which end a list of documents in an archive of mongodump. */
  | { readonly type: 'terminator'; readonly byteOffset: number }
  /** Where the next document begins cannot be known from here on: nothing follows. */
  | { readonly type: 'fault'; readonly byteOffset: number; readonly reason: string };

/** 16 MiB, and the 16 KiB that a server allows itself on top: https://www.mongodb.com/docs/manual/reference/limits/ (2026-11) */
const documentBytesMax = 16 * 2 ** 20 + 16 * 1024;
const documentBytesMin = 5;
const terminator = -1;

/**
 * Cuts a stream of BSON documents, which follow one another without anything between them, into documents. Lists of what ends in each chunk.
 *
 * Memory: a chunk and one document.
 *
 * @param byteOffset Of the first chunk in its file.
 */
export async function* bsonPieces(
  chunks: AsyncIterable<Uint8Array>,
  byteOffset = 0,
): AsyncGenerator<readonly BsonPiece[]> {
  const cutter = new Cutter(byteOffset);
  for await (const chunk of chunks) {
    const pieces = cutter.push(asBuffer(chunk));
    if (pieces.length > 0) yield pieces;
    if (cutter.isBroken) return;
  }
  yield cutter.end();
}

class Cutter {
  isBroken = false;
  /** Bytes of a document that has not ended. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** As many bytes as have to be there before something can be cut. */
  #neededBytes = 4;
  #byteOffset: number;

  constructor(byteOffset: number) {
    this.#byteOffset = byteOffset;
  }

  push(chunk: Buffer): BsonPiece[] {
    this.#keptBytes += chunk.length;
    if (this.#keptBytes < this.#neededBytes) {
      // The chunk may be reused by its owner.
      this.#kept.push(Buffer.from(chunk));
      return [];
    }
    return this.#cut(this.#kept.length === 0 ? chunk : Buffer.concat([...this.#kept, chunk]));
  }

  end(): BsonPiece[] {
    if (this.#keptBytes === 0) return [];
    const reason =
      this.#neededBytes === 4
        ? 'it ends inside the length of a document'
        : `it ends inside a document, ${formatCount(this.#neededBytes - this.#keptBytes)} bytes early`;
    return [{ type: 'fault', byteOffset: this.#byteOffset, reason }];
  }

  #cut(bytes: Buffer): BsonPiece[] {
    const pieces: BsonPiece[] = [];
    let at = 0;
    for (this.#neededBytes = 4; at + 4 <= bytes.length; this.#neededBytes = 4) {
      const length = bytes.readInt32LE(at);
      const byteOffset = this.#byteOffset + at;
      if (length === terminator) {
        pieces.push({ type: 'terminator', byteOffset });
        at += 4;
        continue;
      }
      const reason = frameFault(length, bytes, at);
      if (reason !== undefined) {
        this.isBroken = true;
        return [...pieces, { type: 'fault', byteOffset, reason }];
      }
      this.#neededBytes = length;
      if (at + length > bytes.length) break;
      pieces.push({ type: 'document', byteOffset, bytes: Buffer.from(bytes.subarray(at, at + length)) });
      at += length;
    }
    this.#byteOffset += at;
    this.#keptBytes = bytes.length - at;
    this.#kept = this.#keptBytes === 0 ? [] : [Buffer.from(bytes.subarray(at))];
    return pieces;
  }
}

function frameFault(length: number, bytes: Buffer, at: number): string | undefined {
  if (length < documentBytesMin || length > documentBytesMax)
    return `a document would have ${formatCount(length)} bytes, which none can have`;
  const isWhole = at + length <= bytes.length;
  return isWhole && bytes[at + length - 1] !== 0 ? 'the length of a document does not lead to its end' : undefined;
}
