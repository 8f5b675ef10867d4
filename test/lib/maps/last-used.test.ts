import { describe, expect, it } from 'vitest';
import { LastUsed } from '../../../src/lib/maps/last-used.ts';

describe('LastUsed', () => {
  it('forgets the value that was not asked for longest', () => {
    const held = new LastUsed<string, number>(2);
    held.set('a', 1);
    held.set('b', 2);
    expect(held.get('a')).toBe(1);
    held.set('c', 3);
    expect([held.get('a'), held.get('b'), held.get('c')]).toEqual([1, undefined, 3]);
  });

  it('holds a value that is set again once', () => {
    const held = new LastUsed<string, number>(2);
    held.set('a', 1);
    held.set('b', 2);
    held.set('a', 3);
    expect([held.get('a'), held.get('b')]).toEqual([3, 2]);
  });

  it('loads a value that it does not hold, once', () => {
    const held = new LastUsed<string, number>(2);
    expect([held.find('a', () => 1), held.find('a', () => 2), held.find('b', () => undefined)]).toEqual([
      1,
      1,
      undefined,
    ]);
    expect(held.find('b', () => 3)).toBe(3);
  });

  it('forgets what is deleted', () => {
    const held = new LastUsed<string, number>(2);
    held.set('a', 1);
    held.set('b', 2);
    held.delete('a');
    expect([held.get('a'), held.get('b')]).toEqual([undefined, 2]);
    held.clear();
    expect(held.get('b')).toBeUndefined();
  });
});
