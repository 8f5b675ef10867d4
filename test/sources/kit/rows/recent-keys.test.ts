import { expect, it } from 'vitest';
import { sha256Base32 } from '../../../../src/lib/hash.ts';
import { linear } from '../../../long-text.ts';
import { isNightly } from '../../../tier.ts';
import { RecentKeys } from '../../../../src/sources/kit/rows/recent-keys.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz234567'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

/** Keys of the numbers below 2^25, all different and evenly spread like hashes, which take ten times as long to make. */
function madeKey(number: number): string {
  const spread = Math.imul(number, 0x9e3779b1) & (2 ** 25 - 1);
  return `${pairs[spread >> 15]}${pairs[(spread >> 5) & 1023]}${letters[spread & 31]}aaaaaaaaaaaaaaa`;
}

const keyOf = (number: number) => sha256Base32(String(number), 20);

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
  keys.clear();
  expect(keys.add(keyOf(1))).toBe(1);
});

it('RecentKeys does not search from the beginning for the key to forget', linear, () => {
  // From here on there is room for 2^21 keys, a quarter in `npm test`, so that 1.5 million places are free when the first ones are reused. Passing over
  // all free places for each of 1.5 million keys takes 1.2e12 steps, 7.5e10 in `npm test`: that would not end within the test's timeout.
  const share = isNightly ? 1 : 1 / 4;
  const keys = new RecentKeys(share * 2 ** 19 + 1);
  const count = share * 2_600_000;
  for (let number = 0; number < count; number += 1) keys.add(madeKey(number));
  expect(keys.add(madeKey(count - 1))).toBe(2);
  expect(keys.add(madeKey(share * 2_000_000))).toBe(1);
});
