import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { allBytes } from '../../src/io/bytes.ts';
import { tablesInput } from '../../src/io/input/tables-input.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { bsonDocument, dumpArchive } from '../scenes/mongodump.ts';

const documents = (...numbers: readonly number[]) => Buffer.concat(numbers.map((n) => bsonDocument({ n })));
const lines = (...numbers: readonly number[]) => numbers.map((n) => `{"n":${n}}\n`).join('');
const textOf = async (chunks: AsyncIterable<Uint8Array>) => String(Buffer.from((await allBytes(chunks, 1e6))!));

const [rooms, messages] = [
  { db: 'chat', collection: 'rooms' },
  { db: 'chat', collection: 'a/b%' },
];
/** Collections between one another, as parallel threads write them. */
const archive = dumpArchive([
  { ...messages, bson: documents(1, 2) },
  { ...rooms, bson: documents(7) },
  { ...messages, bson: documents(3) },
  messages,
  rooms,
]);

describe('tablesInput()', () => {
  it('reads a file of BSON as lines of JSON, also where its first bytes are those of UTF-16', async () => {
    const wide = bsonDocument({ text: 'x'.repeat(0xfffe - 16) });
    expect(wide.readUInt16LE()).toBe(0xfffe);
    const input = await tablesInput(
      memoryInput({ 'a.bson': wide, 'b.bson.gz': gzipSync(documents(1, 2)), 'c.json': '[]' }),
    );
    expect(await input.paths()).toEqual(['a.bson', 'b.bson.gz', 'c.json']);
    expect(await textOf(input.open('a.bson'))).toMatch(/^\{"text":"x+"\}\n$/);
    expect(await textOf(input.open('b.bson.gz'))).toBe(lines(1, 2));
    expect(String(await input.head('b.bson.gz', 5))).toBe('{"n":');
    expect(String(await input.read('b.bson.gz', 100))).toBe(lines(1, 2));
    await expect(input.read('b.bson.gz', 10)).rejects.toThrow('at most 10 bytes');
    expect(String(await input.read('c.json', 10))).toBe('[]');
  });

  it.each([
    ['a.archive', archive],
    ['a.archive.gz', gzipSync(archive)],
    ['any name', archive],
  ])('reads an archive of mongodump called "%s" as a folder of its collections', async (path, bytes) => {
    const input = await tablesInput(memoryInput({ [path]: bytes }));
    expect(await input.paths()).toEqual([`${path}/chat/a%2Fb%25.bson`, `${path}/chat/rooms.bson`]);
    expect(await textOf(input.open(`${path}/chat/a%2Fb%25.bson`))).toBe(lines(1, 2, 3));
    expect(await textOf(input.open(`${path}/chat/rooms.bson`))).toBe(lines(7));
    expect(await input.stat(`${path}/chat/rooms.bson`)).toEqual(await memoryInput({ [path]: bytes }).stat(path));
  });

  it('says of an archive that is cut off which collection did not end', async () => {
    const input = await tablesInput(memoryInput({ a: archive.subarray(0, -20) }));
    expect(await textOf(input.open('a/chat/a%2Fb%25.bson'))).toBe(lines(1, 2, 3));
    await expect(textOf(input.open('a/chat/rooms.bson'))).rejects.toThrow('it ends inside a document');
    const early = await tablesInput(memoryInput({ a: dumpArchive([{ ...rooms, bson: documents(7) }]) }));
    await expect(textOf(early.open('a/chat/rooms.bson'))).rejects.toThrow('the archive of mongodump ends before');
  });

  it('leaves an archive whose head is damaged as it is', async () => {
    const input = await tablesInput(memoryInput({ 'a.archive': archive.subarray(0, 40) }));
    expect(await input.paths()).toEqual(['a.archive']);
  });
});
