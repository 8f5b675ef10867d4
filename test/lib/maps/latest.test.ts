import { describe, expect, it } from 'vitest';
import { Latest } from '../../../src/lib/maps/latest.ts';

describe('the latest entries', () => {
  it('keeps as many as it says, and at most twice as many', () => {
    const latest = new Latest<number, string>(10);
    for (let key = 0; key < 100; key++) {
      latest.set(key, String(key));
      for (let before = Math.max(0, key - 9); before <= key; before++) expect(latest.get(before)).toBe(String(before));
      expect(latest.get(key - 20)).toBeUndefined();
    }
  });

  it('knows nothing after it was cleared', () => {
    const latest = new Latest<number, string>(2);
    for (const key of [1, 2, 3]) latest.set(key, 'one');
    latest.clear();
    expect([1, 2, 3].map((key) => latest.get(key))).toEqual([undefined, undefined, undefined]);
  });
});
