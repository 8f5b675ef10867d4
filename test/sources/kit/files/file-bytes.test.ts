import { expect, it } from 'vitest';
import { headOrNothing, inChunks } from '../../../../src/sources/kit/files/file-bytes.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

it('headOrNothing() gives a beginning, and nothing of a file that cannot be read', async () => {
  const input = memoryInput({ a: 'abc' });
  expect(Buffer.from(await headOrNothing(input, 'a', 2)).toString()).toBe('ab');
  expect((await headOrNothing(input, 'b', 2)).length).toBe(0);
});

it('inChunks() cuts bytes as a file would', async () => {
  const chunks = await Array.fromAsync(inChunks(Buffer.from('abcde'), 2));
  expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['ab', 'cd', 'e']);
});
