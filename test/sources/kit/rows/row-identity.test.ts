import { describe, expect, it } from 'vitest';
import { RowIdentity, rowSortKey } from '../../../../src/sources/kit/rows/row-identity.ts';

const row = ['room', 'ada', '2026-03-01 10:00', 'Hi'];

describe('RowIdentity', () => {
  it('gives a row the same id at any position, and numbers equal rows', () => {
    const first = new RowIdentity();
    const id = first.idOf(row);
    expect(id).toMatch(/^[a-z2-7]{26}$/);
    expect(first.idOf(['room', 'bob', ...row.slice(2)])).not.toBe(id);
    expect(first.idOf(row)).toBe(`${id}-2`);
    const second = new RowIdentity();
    second.idOf(['something', 'before']);
    expect(second.idOf(row)).toBe(id);
  });

  it('distinguishes a missing value from an empty text, and one cell from two', () => {
    const identity = new RowIdentity();
    const ids = [['a', undefined], ['a', ''], ['a'], ['a,']].map((cells) => identity.idOf(cells));
    expect(new Set(ids).size).toBe(4);
  });

  it('forgets at the beginning of a file', () => {
    const identity = new RowIdentity();
    const id = identity.idOf(row);
    expect(identity.idOf(row)).toBe(`${id}-2`);
    identity.beginFile();
    expect(identity.idOf(row)).toBe(id);
  });
});

it('RowIdentity forgets what came longest ago, once 100,000 others came behind it', () => {
  const identity = new RowIdentity();
  const [oldest, kept] = [identity.idOf(['oldest']), identity.idOf(['kept'])];
  for (let number = 0; number < 60_000; number += 1) identity.idOf([String(number)]);
  expect(identity.idOf(['kept'])).toBe(`${kept}-2`);
  for (let number = 60_000; number < 130_000; number += 1) identity.idOf([String(number)]);
  expect(identity.idOf(['kept'])).toBe(`${kept}-3`);
  expect(identity.idOf(['oldest'])).toBe(oldest);
});

describe('rowSortKey()', () => {
  it('orders by time below a millisecond, then by position in the file', () => {
    const keys = [rowSortKey(0, 2), rowSortKey(0, 11), rowSortKey(5, 1), rowSortKey(999_999, 1)];
    expect(keys.toSorted()).toEqual(keys);
    expect(new Set(keys.map(({ length }) => length))).toEqual(new Set([18]));
  });

  it('reverses the order if the file begins with the latest', () => {
    expect(rowSortKey(0, 1, true) > rowSortKey(0, 2, true)).toBe(true);
  });
});
