import { expect, it } from 'vitest';
import { sha256Base32 } from '../../../../src/lib/hash.ts';
import { keyLength, RecentKeys } from '../../../../src/sources/kit/rows/recent-keys.ts';

const keyOf = (number: number) => sha256Base32(String(number), keyLength);

it('RecentKeys counts as a map does that forgets what came longest ago', () => {
  const [remembered, different] = [3000, 4000];
  const keys = new RecentKeys(remembered);
  const counts = new Map<string, number>();
  const [found, expected]: [number[], number[]] = [[], []];
  for (let number = 0; number < 15_000; number += 1) {
    // Some again at once, some after others were forgotten.
    const key = keyOf(number % 3 === 0 ? number % 50 : number % different);
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    if (counts.size > remembered) counts.delete(counts.keys().next().value!);
    found.push(keys.add(`${key}-what-follows`));
    expected.push(count);
  }
  expect(found).toEqual(expected);
  expect([...keys.entries()]).toEqual([...counts]);
  keys.clear();
  expect([...keys.entries()]).toEqual([]);
  expect(keys.add(keyOf(1))).toBe(1);
});
