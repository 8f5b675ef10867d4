import { expect, it } from 'vitest';
import { openExport } from '../../../../src/io/input/open-export.ts';
import { chunksFrom, headOrNothing, inChunks } from '../../../../src/sources/kit/files/file-bytes.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';
import { temporaryFolder, writeFile } from '../../../io/temporary-files.ts';

const textOf = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(chunks)).toString();

it('headOrNothing() gives a beginning, and nothing of a file that cannot be read', async () => {
  const input = memoryInput({ a: 'abc' });
  expect(Buffer.from(await headOrNothing(input, 'a', 2)).toString()).toBe('ab');
  expect((await headOrNothing(input, 'b', 2)).length).toBe(0);
});

it('chunksFrom() goes on where an earlier reading ended, as long as nothing is packed', async () => {
  const folder = temporaryFolder();
  writeFile(folder, 'a', 'abc');
  const [input] = await openExport([folder]);
  expect(await textOf(chunksFrom(input!, 'a', undefined))).toBe('abc');
  expect(await textOf(chunksFrom(input!, 'a', { byteOffset: 1 }))).toBe('bc');
  expect(() => chunksFrom(memoryInput({ a: 'abc' }), 'a', { byteOffset: 1 })).toThrow('it is packed');
});

it('inChunks() cuts bytes as a file would', async () => {
  const chunks = await Array.fromAsync(inChunks(Buffer.from('abcde'), 2));
  expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['ab', 'cd', 'e']);
});
