import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteLimit, halvesByBytes } from '../../src/delivery/lanes/batches.ts';
import { laneOf, rowsOf } from './fixture.ts';

describe('ByteLimit', () => {
  it('is the limit of the profile until a request is too large', () => {
    const limit = new ByteLimit(1000);
    limit.noteTaken(900);
    expect(limit.max).toBe(1000);
  });

  it('finds a limit within a few requests, and keeps to it', () => {
    const property = fc.property(fc.integer({ min: 1000, max: 500_000 }), (real) => {
      const limit = new ByteLimit(524_288);
      let refusals = 0;
      for (let request = 0; request < 100; request++) {
        if (limit.max <= real) limit.noteTaken(limit.max);
        else {
          limit.noteTooLarge(limit.max);
          refusals++;
        }
      }
      return limit.max <= real && limit.max > real / 2 && refusals <= 10;
    });
    fc.assert(property);
  });

  it('does not fall below an accepted size, and reports every change', () => {
    const learned: number[] = [];
    const limit = new ByteLimit(1000, (bytes) => learned.push(bytes));
    limit.noteTaken(700);
    limit.noteTooLarge(900);
    limit.noteTooLarge(900);
    expect(limit.max).toBe(700);
    limit.noteTooLarge(600);
    expect(learned).toEqual([700, 300]);
  });
});

describe('halvesByBytes()', () => {
  it('splits any rows in order, with about half of the bytes in each part', () => {
    const lengths = fc.array(fc.nat({ max: 2000 }), { minLength: 2, maxLength: 50 });
    const property = fc.property(lengths, (sizes) => {
      const rows = rowsOf(
        laneOf(1),
        sizes.map((size) => 'x'.repeat(size)),
        1,
      );
      const [first, second] = halvesByBytes(rows);
      const bytesOf = (some: typeof first) => some.reduce((sum, { bytes }) => sum + bytes, 0);
      expect([...first, ...second]).toEqual(rows);
      expect(Math.min(first.length, second.length)).toBeGreaterThan(0);
      const largest = Math.max(...rows.map(({ bytes }) => bytes));
      expect(Math.max(bytesOf(first), bytesOf(second))).toBeLessThanOrEqual(bytesOf(rows) / 2 + largest);
    });
    fc.assert(property);
  });
});
