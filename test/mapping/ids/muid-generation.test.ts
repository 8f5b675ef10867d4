import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { muidOf, muidInGeneration, muidShape } from '../../../src/mapping/ids.ts';

const origin = { source: 'slack', workspace: 'T1', conversation: 'C1', id: '1700000000.000100' };

it('muidInGeneration() is muidOf for the first generation', () => {
  expect(muidInGeneration(origin, 1)).toBe(muidOf(origin));
});

it('muidInGeneration() hashes the generation as a fifth element, as the number it is', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const bits = [...createHash('sha256').update('["slack","T1","C1","1700000000.000100",2]').digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const expected = Array.from({ length: 25 }, (_, at) => alphabet[Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)]);
  expect(muidInGeneration(origin, 2)).toBe(`m1${expected.join('')}`);
});

it('muidInGeneration() gives every generation a muid of its own, of our shape', () => {
  const muids = [1, 2, 3, 4].map((generation) => muidInGeneration(origin, generation));
  expect(new Set(muids).size).toBe(4);
  for (const muid of muids) expect(muid).toMatch(muidShape);
});
