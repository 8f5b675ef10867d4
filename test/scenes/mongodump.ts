import { type Document, EJSON, serialize } from 'bson';

/** A file of mongodump with documents that are given as Extended JSON. */
export const bsonFile = (documents: readonly unknown[]): Buffer =>
  Buffer.concat(documents.map((one) => bsonDocument(EJSON.parse(JSON.stringify(one), { relaxed: false }))));

export const bsonDocument = (document: Document): Buffer => Buffer.from(serialize(document));

const terminator = Buffer.alloc(4, 0xff);

/** Part of an archive: documents of a collection, or its end. */
export interface ArchiveSegment {
  readonly db: string;
  readonly collection: string;
  /** Absent: the collection ends. */
  readonly bson?: Buffer;
}

/** The file that `mongodump --archive` writes for these segments. The head names the collections in the order of their first segment. */
export function dumpArchive(segments: readonly ArchiveSegment[]): Buffer {
  const first = segments.filter(
    ({ db, collection }, at) => at === segments.findIndex((one) => one.db === db && one.collection === collection),
  );
  const about = first.map(({ db, collection }) =>
    bsonDocument({ db, collection, metadata: '{"indexes":[]}', size: 0, type: 'collection' }),
  );
  const parts = segments.map(({ db, collection, bson }) => {
    const head = bsonDocument({ db, collection, EOF: bson === undefined, CRC: 0n });
    return Buffer.concat([head, bson ?? Buffer.alloc(0), terminator]);
  });
  const head = bsonDocument({
    concurrent_collections: 4,
    version: '0.1',
    server_version: '8.0.4',
    tool_version: '100.12',
  });
  return Buffer.concat([Buffer.from('6de29981', 'hex'), head, ...about, terminator, ...parts]);
}
