import {
  Binary,
  BSONRegExp,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bsonLines } from '../../src/io/bson/bson-lines.ts';
import { readJsonLines } from '../../src/io/json/json-lines.ts';
import type { LocatedJson } from '../../src/io/json/json-values.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { bsonDocument } from '../scenes/mongodump.ts';
import { inChunks } from './chunks.ts';

/** The values of a file, and the message of the error that ended it. */
async function readBson(bytes: Buffer, chunkBytes = 1 << 16) {
  const values: LocatedJson[] = [];
  try {
    for await (const some of readJsonLines(bsonLines(inChunks(bytes, chunkBytes), 'a.bson'))) values.push(...some);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { values, error: error.message };
  }
  return { values };
}

const plain = async (document: object) => (await readBson(bsonDocument(document))).values[0]!.value;

describe('bsonLines()', () => {
  it('keeps every number, id and time exact, as Extended JSON', async () => {
    const id = new ObjectId('65e1a0b2c3d4e5f601234501');
    expect(
      await plain({
        _id: id,
        small: new Int32(7),
        long: Long.fromString('9223372036854775807'),
        shortLong: Long.fromNumber(42),
        money: Decimal128.fromString('0.10'),
        ratio: new Double(0.5),
        none: new Double(Number.NaN),
        at: new Date('2026-03-02T09:15:00.250Z'),
        early: new Date(-1),
        uuid: new UUID('01234567-89ab-4cde-8f01-23456789abcd'),
        old: new Binary(Buffer.from('0123456789abcdef'), 3),
        stamp: new Timestamp({ t: 1_772_442_900, i: 3 }),
        top: new MaxKey(),
        match: new BSONRegExp('^a', 'i'),
        code: new Code('x', { n: Long.fromNumber(1) }),
        by: new DBRef('users', id),
        nothing: null,
        list: [{ a: [id] }],
        text: 'line\nfeed, \u{1f6f6} and "quotes"',
      }),
    ).toEqual({
      _id: { $oid: '65e1a0b2c3d4e5f601234501' },
      small: 7,
      long: { $numberLong: '9223372036854775807' },
      shortLong: 42,
      money: { $numberDecimal: '0.10' },
      ratio: 0.5,
      none: { $numberDouble: 'NaN' },
      at: { $date: '2026-03-02T09:15:00.250Z' },
      early: { $date: { $numberLong: '-1' } },
      uuid: { $binary: { base64: 'ASNFZ4mrTN6PASNFZ4mrzQ==', subType: '04' } },
      old: { $binary: { base64: 'MDEyMzQ1Njc4OWFiY2RlZg==', subType: '03' } },
      stamp: { $timestamp: { t: 1772442900, i: 3 } },
      top: { $maxKey: 1 },
      match: { $regularExpression: { pattern: '^a', options: 'i' } },
      code: { $code: 'x', $scope: { n: 1 } },
      by: { $ref: 'users', $id: { $oid: '65e1a0b2c3d4e5f601234501' } },
      nothing: null,
      list: [{ a: [{ $oid: '65e1a0b2c3d4e5f601234501' }] }],
      text: 'line\nfeed, \u{1f6f6} and "quotes"',
    });
  });

  it('keeps keys that JavaScript gives a meaning', async () => {
    const bytes = bsonDocument({ ['__proto__']: { a: 1 }, constructor: 'c', toJSON: 'x' });
    const { values } = await readBson(bytes);
    expect(JSON.stringify(values[0]!.value)).toBe('{"__proto__":{"a":1},"constructor":"c","toJSON":"x"}');
  });

  it('reads the same in chunks of any size', async () => {
    const documents = Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(n * 7) }));
    const bytes = Buffer.concat(documents.map(bsonDocument));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (chunkBytes) => {
        const { values } = await readBson(bytes, chunkBytes);
        expect(values).toEqual(documents.map((value, at) => ({ line: at + 1, value })));
      }),
      { numRuns: 30 },
    );
  });

  it('names the byte of a damaged document, and reads the next one', async () => {
    const [first, second, third] = [1, 2, 3].map((n) => bsonDocument({ n, text: 'harbour' }));
    second!.write('\xff\xfe', second!.indexOf('harbour'), 'latin1');
    const { values } = await readBson(Buffer.concat([first!, second!, third!]));
    expect(values.map(({ line, value, error }) => [line, error?.code ?? value])).toEqual([
      [1, { n: 1, text: 'harbour' }],
      [2, 'damaged-record'],
      [3, { n: 3, text: 'harbour' }],
    ]);
    expect(values[1]!.error!.reason).toMatch(`the BSON document at byte ${first!.length} is damaged: `);
  });

  it('gives a document that overflows the stack as damaged', async () => {
    const levels = 100_000;
    const bytes = Buffer.alloc(levels * 8 + 5);
    for (let at = 0; at < levels; at += 1) {
      bytes.writeInt32LE((levels - at) * 8 + 5, at * 7);
      bytes.write('\x03a\0', at * 7 + 4, 'latin1');
    }
    bytes.writeInt32LE(5, levels * 7);
    const { values } = await readBson(Buffer.concat([bytes, bsonDocument({ n: 1 })]));
    expect(values.map(({ error }) => error?.code)).toEqual(['damaged-record', undefined]);
  });

  it.each([
    ['ends inside a document', (bytes: Buffer) => bytes.subarray(0, -3), /it ends inside a document, 3 bytes early/],
    ['ends inside a length', (bytes: Buffer) => Buffer.concat([bytes, bytes.subarray(0, 2)]), /inside the length/],
    [
      'has a length that cannot be',
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\x10\0\0\x7f')]),
      /would have 2,130,706,448 bytes/,
    ],
    [
      'has a length that leads elsewhere',
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\x08\0\0\0abcdefgh')]),
      /does not lead to its end/,
    ],
  ])('stops at the byte from which nothing can be known, if the file %s', async (_, damage, reason) => {
    const bytes = damage(Buffer.concat([bsonDocument({ n: 1 }), bsonDocument({ n: 2 })]));
    const { values, error } = await readBson(bytes);
    expect(values[0]!.value).toEqual({ n: 1 });
    expect(error).toMatch(reason);
    expect(error).toMatch(/^Cannot read the BSON from byte \d+ on/);
  });
});
