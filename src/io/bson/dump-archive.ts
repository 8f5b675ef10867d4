import { SourceError } from '../../lib/errors.ts';
import { type BsonPiece, bsonPieces } from './bson-pieces.ts';
import { documentLines } from './bson-lines.ts';

export interface DumpedCollection {
  readonly db: string;
  readonly collection: string;
}

/**
 * The head of a file that `mongodump --archive` wrote: 0x8199e26d, then a document about the dump, one about each collection, a terminator;
 * behind it segments of documents of one collection, each after a document that names it.
 *
 * https://github.com/mongodb/mongo-tools/blob/master/common/archive/spec.md (2026-11)
 */
const magic = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);

export const isDumpArchive = (head: Uint8Array): boolean => magic.equals(head.subarray(0, magic.length));

/** More collections than any application has. */
const collectionsMax = 10_000;

/**
 * The collections that the head of an archive names, in its order. Views are left out: they have no documents of their own.
 *
 * @throws SourceError if the head is damaged.
 */
export async function collectionsIn(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<readonly DumpedCollection[]> {
  const { deserialize } = await import('bson');
  const found: DumpedCollection[] = [];
  for await (const pieces of bsonPieces(behindMagic(chunks), magic.length)) {
    for (const piece of pieces) {
      if (piece.type === 'terminator') return found;
      if (piece.type === 'fault' || found.length > collectionsMax) throw damagedHead(path);
      const named = tryDeserialize(piece.bytes, deserialize);
      if (named === undefined) throw damagedHead(path);
      const { db, collection, type } = named;
      if (typeof db === 'string' && typeof collection === 'string' && type !== 'view') found.push({ db, collection });
    }
  }
  throw damagedHead(path);
}

type Deserialize = (bytes: Buffer) => Record<string, unknown>;

/** @returns undefined if it is damaged. */
function tryDeserialize(bytes: Buffer, deserialize: Deserialize): Record<string, unknown> | undefined {
  try {
    return deserialize(bytes);
  } catch {
    return undefined;
  }
}

const damagedHead = (path: string): SourceError =>
  new SourceError('Cannot read the archive of mongodump: its head is damaged', { location: { path } });

/**
 * The documents of one collection as JSON Lines, as `bsonLines` writes them. Reads the archive up to the end of the collection, because its
 * documents are between those of others.
 *
 * @throws SourceError after the last document, if the archive ends before the collection does, or cannot be read any further.
 */
export async function* collectionLines(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  wanted: DumpedCollection,
): AsyncGenerator<Buffer> {
  const { deserialize } = await import('bson');
  const toLines = await documentLines(path);
  const segments = new Segments(wanted, (bytes) => {
    const head = tryDeserialize(bytes, deserialize);
    if (head !== undefined) return head;
    const reason = 'Cannot read the archive of mongodump from here on: the head of a segment is damaged';
    throw new SourceError(reason, { hint: 'Dump or copy it again; what comes before was read', location: { path } });
  });
  for await (const pieces of bsonPieces(behindMagic(chunks), magic.length)) {
    yield* toLines(segments.documentsIn(pieces));
    if (segments.isAtEnd) return;
  }
  const reason = `Cannot read the collection "${wanted.collection}" to its end: the archive of mongodump ends before`;
  throw new SourceError(reason, { hint: 'Dump or copy it again; what comes before was read', location: { path } });
}

/** Finds the documents of one collection among the segments of an archive. */
class Segments {
  isAtEnd = false;
  /** Meaning of the next document: part of the archive's head, head of a segment, of another collection, or wanted. */
  #next: 'head' | 'segment' | 'other' | 'wanted' = 'head';
  readonly #wanted: DumpedCollection;
  readonly #read: (bytes: Buffer) => Record<string, unknown>;

  constructor(wanted: DumpedCollection, read: (bytes: Buffer) => Record<string, unknown>) {
    this.#wanted = wanted;
    this.#read = read;
  }

  /** Faults among them. */
  documentsIn(pieces: readonly BsonPiece[]): readonly BsonPiece[] {
    const found: BsonPiece[] = [];
    for (const piece of pieces) {
      if (this.isAtEnd) break;
      if (piece.type === 'fault' || (piece.type === 'document' && this.#next === 'wanted')) found.push(piece);
      else if (piece.type === 'terminator') this.#next = 'segment';
      else if (this.#next === 'segment') this.#begin(piece.bytes);
    }
    return found;
  }

  #begin(bytes: Buffer): void {
    const { db, collection, EOF: isEnd } = this.#read(bytes);
    const isWanted = db === this.#wanted.db && collection === this.#wanted.collection;
    this.#next = isWanted ? 'wanted' : 'other';
    this.isAtEnd = isWanted && isEnd === true;
  }
}

async function* behindMagic(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = magic.length;
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    yield chunk.subarray(skipped);
  }
}
