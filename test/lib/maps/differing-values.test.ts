import { describe, expect, it } from 'vitest';
import { DifferingValues } from '../../../src/lib/maps/differing-values.ts';

/** Well mixed, and another for each number. */
const mixed = (number: number) => {
  let sum = Math.imul(number + 1, 0x9e3779b1);
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b);
  return sum ^ (sum >>> 13);
};

const countOf = (keys: number, slotsMax?: number) => {
  const values = new DifferingValues(slotsMax);
  for (let key = 0; key < keys; key++) {
    values.add(mixed(key), mixed(key + 7_000_000), 1);
    values.add(mixed(key), mixed(key + 7_000_000), 1);
    if (key % 10 === 0) for (const other of [2, 3]) values.add(mixed(key), mixed(key + 7_000_000), other);
  }
  return values.counts();
};

describe('DifferingValues', () => {
  it('counts how often a key comes with another value than its first', () => {
    expect(countOf(50_000)).toEqual({ times: 10_000, keys: 5_000, isExact: true });
  });

  it('is about right where it keeps only some of the keys', () => {
    const { times, isExact } = countOf(200_000, 1 << 14);
    expect(isExact).toBe(false);
    expect(Math.abs(times / 40_000 - 1)).toBeLessThan(0.15);
  });
});
