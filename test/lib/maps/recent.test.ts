import { expect, it } from 'vitest';
import { Recent } from '../../../src/lib/maps/recent.ts';

it('Recent finds a value once, and again where many others came since', () => {
  const asked: number[] = [];
  const recent = new Recent((id: number) => {
    asked.push(id);
    return -id;
  });
  expect([recent.get(1), recent.get(1), asked.length]).toEqual([-1, -1, 1]);
  for (let id = 2; id <= 30_000; id++) recent.get(id);
  expect([recent.get(1), recent.get(30_000), asked.length]).toEqual([-1, -30_000, 30_001]);
  recent.set(7, 70);
  expect(recent.get(7)).toBe(70);
});
