import { SourceError } from '../../lib/errors.ts';
import { faultLine } from '../fault-line.ts';
import { type BsonPiece, bsonPieces } from './bson-pieces.ts';
import { extendedJson } from './extended-json.ts';

/**
 * A file of BSON documents as JSON Lines, one for each document: the number of the line is that of the document. A damaged document is a
 * line that names its byte (`fault-line.ts`); the next one is read.
 *
 * @throws SourceError after the last document that can be read, if the file ends inside one, or its length is damaged.
 */
export async function* bsonLines(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Buffer> {
  const toLines = await documentLines(path);
  for await (const pieces of bsonPieces(chunks)) yield* toLines(pieces);
}

/** Returns a function that makes lines of the pieces of a file. Terminators are faults: only archives have them. */
export async function documentLines(path: string): Promise<(pieces: readonly BsonPiece[]) => Generator<Buffer>> {
  const bson = await import('bson');
  return function* linesOf(pieces) {
    const lines: string[] = [];
    let fault: SourceError | undefined;
    for (const piece of pieces) {
      if (piece.type === 'document') {
        const read = extendedJson(bson, piece.bytes);
        lines.push('text' in read ? read.text : faultLine(damaged(piece.byteOffset, read.fault)));
      } else fault ??= cannotGoOn(piece, path);
    }
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
    if (fault) throw fault;
  };
}

const damaged = (byteOffset: number, reason: string): string =>
  `the BSON document at byte ${byteOffset} is damaged: ${reason}`;

/** @param piece A fault, or a terminator among documents that have none. */
function cannotGoOn(piece: Exclude<BsonPiece, { type: 'document' }>, path: string): SourceError {
  const reason = piece.type === 'fault' ? piece.reason : 'the documents end, and the file does not';
  return new SourceError(`Cannot read the BSON from byte ${piece.byteOffset} on: ${reason}`, {
    hint: 'Dump or copy it again; what comes before was read',
    location: { path },
  });
}
