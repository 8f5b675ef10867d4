import { expect, it } from 'vitest';
import type { Entry } from '../../../../src/model/entry.ts';
import { CountedProblems } from '../../../../src/sources/kit/rows/counted-problems.ts';

it('counts each thing once for a file, the codes in their order', () => {
  const counts = new CountedProblems('first', 'second');
  counts.add('second', 'boats', 1200);
  counts.add('first', 'gulls');
  counts.add('first', 'gulls', 2);
  counts.add('first', 'nothing', 0);
  const into: Entry[] = [];
  counts.end('a.json', into);
  counts.end('a.json', into);
  const location = { path: 'a.json' };
  expect(into).toEqual([
    { type: 'problem', code: 'first', reason: '3 × gulls', location, count: 3 },
    { type: 'problem', code: 'second', reason: '1,200 × boats', location, count: 1200 },
  ]);
});
