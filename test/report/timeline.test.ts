import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksFor } from '../../src/report/render/page/timeline.ts';

test('ticksFor() gives round numbers from zero up to the maximum', () => {
  expect(ticksFor(249)).toEqual([0, 100, 200, 300]);
  expect(ticksFor(1)).toEqual([0, 1]);
  expect(ticksFor(0)).toEqual([0, 1]);
});

test('ticksFor() reaches every maximum with five steps at most', () => {
  fc.assert(
    fc.property(fc.nat(), (maximum) => {
      const ticks = ticksFor(maximum);
      return (ticks.at(-1) ?? 0) >= maximum && ticks.length <= 6;
    }),
  );
});
