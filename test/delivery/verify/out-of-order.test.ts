import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outOfOrder } from '../../../src/delivery/verify/conversation-check.ts';

/** Messages 1, 2, 3 … in the order of the source, with the places at which they arrived. */
const judged = (ranks: readonly number[]): number[] => [
  ...outOfOrder(ranks.map((rank, index) => ({ message: index + 1, rank }))),
];
/** Ranks of messages that arrived in this order. */
const ranksOf = (arrival: readonly number[]): number[] => {
  const ranks: number[] = [];
  for (const [place, message] of arrival.entries()) ranks[message - 1] = place + 1;
  return ranks;
};

test('outOfOrder() names nothing where all arrived in order', () => {
  expect(judged([1, 2, 3, 4, 5])).toEqual([]);
  expect(judged([])).toEqual([]);
});

test('outOfOrder() names the message that was moved, and not those that it was moved past', () => {
  expect(judged(ranksOf([1, 3, 4, 5, 6, 2, 7]))).toEqual([2]);
  expect(judged(ranksOf([1, 6, 2, 3, 4, 5, 7]))).toEqual([6]);
});

test('outOfOrder() names one of two neighbours that changed places', () => {
  expect(judged(ranksOf([1, 2, 4, 3, 5]))).toHaveLength(1);
});

test('outOfOrder() names all but one of messages that arrived backwards', () => {
  expect(judged([5, 4, 3, 2, 1])).toHaveLength(4);
});

test('outOfOrder() returns the fewest messages to remove so that the others are in order', () => {
  const orders = fc.integer({ min: 1, max: 7 }).chain((count) =>
    fc.shuffledSubarray(
      Array.from({ length: count }, (_, index) => index + 1),
      { minLength: count, maxLength: count },
    ),
  );
  fc.assert(
    fc.property(orders, (ranks) => {
      const moved = new Set(judged(ranks));
      const others = ranks.filter((_, index) => !moved.has(index + 1));
      expect(others).toEqual(others.toSorted((a, b) => a - b));
      expect(moved.size).toBe(ranks.length - longestAscending(ranks));
    }),
    { numRuns: 500 },
  );
});

/** By trying every choice. */
function longestAscending(ranks: readonly number[]): number {
  let longest = 0;
  for (let choice = 0; choice < 2 ** ranks.length; choice++) {
    const chosen = ranks.filter((_, index) => (choice >> index) % 2 === 1);
    if (chosen.every((rank, index) => index === 0 || rank > chosen[index - 1]!))
      longest = Math.max(longest, chosen.length);
  }
  return longest;
}

test('outOfOrder() judges a stretch that is too long to be held in parts, and never finds nothing', () => {
  const count = 600_000;
  const half = count / 2;
  function* rotated() {
    for (let message = 1; message <= count; message++) {
      yield { message, rank: message <= half ? message + half : message - half };
    }
  }
  let found = 0;
  for (const _ of outOfOrder(rotated())) found++;
  expect(found).toBe(half);
});
