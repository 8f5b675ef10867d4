import { expect, it } from 'vitest';
import type { Entry } from '../../../../src/model/entry.ts';
import { RowNotes } from '../../../../src/sources/kit/rows/row-notes.ts';

it('RowNotes shows the first twenty of each kind, and counts the others at the end of the file', () => {
  const notes = new RowNotes();
  const entries: Entry[] = [];
  for (let line = 1; line <= 1050; line += 1) {
    notes.add('bad-x', 'X is bad', { path: 'a', line }, entries);
    notes.addOnce('odd-file', 'The file is odd', { path: 'a', line }, entries);
  }
  const more: Entry[] = [];
  notes.end('a', more);
  expect(more).toEqual([
    {
      type: 'problem',
      code: 'bad-x',
      reason: '1,030 more rows of this file have this problem',
      location: { path: 'a' },
      count: 1030,
    },
  ]);
  expect(entries.map((entry) => 'code' in entry && entry.code)).toEqual([
    'bad-x',
    'odd-file',
    ...Array.from({ length: 19 }, () => 'bad-x'),
  ]);
});
