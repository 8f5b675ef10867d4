import { expect, it } from 'vitest';
import { LocatedNotes } from '../../../../src/sources/kit/rows/located-notes.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const reasons = async (notes: LocatedNotes, text: string) =>
  (await notes.end(memoryInput({ 'a.json': text }), 'a.json')).map((entry) => 'reason' in entry && entry.reason);

it('LocatedNotes give the byte at which an element of an array begins, whatever the others contain', async () => {
  const text = '[ {"a":"],[\\"{"} ,\n  7, "x,y" ,[1,[2]],{"é":1},\n\n null ]';
  const notes = new LocatedNotes();
  for (const index of [0, 1, 2, 3, 4, 5])
    notes.add('odd', `element ${index}`, { path: 'a.json', pointer: `/${index}/b` });
  const bytes = Buffer.from(text);
  const at = (part: string) => bytes.indexOf(part);
  expect(await reasons(notes, text)).toEqual([
    'element 0 (byte 2)',
    `element 1 (byte ${at('7')})`,
    `element 2 (byte ${at('"x,y"')})`,
    `element 3 (byte ${at('[1')})`,
    `element 4 (byte ${at('{"é')})`,
    `element 5 (byte ${at('null')})`,
  ]);
});

it('LocatedNotes do so for lines, and count the notes after the first twenty of a kind', async () => {
  const notes = new LocatedNotes();
  for (let line = 1; line <= 22; line++) notes.add('odd', 'odd', { path: 'a.json', line });
  notes.add('whole', 'of the file', { path: 'a.json' });
  const found = await reasons(notes, 'ab\n'.repeat(30));
  expect(found.length).toBe(22);
  expect([found[0], found[1], found[19], found[20], found[21]]).toEqual([
    'odd (byte 0)',
    'odd (byte 3)',
    'odd (byte 57)',
    'of the file',
    '2 more rows of this file have this problem',
  ]);
});
