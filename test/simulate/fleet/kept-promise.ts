import { expect } from 'vitest';
import { simulateFleet } from './simulate-fleet.ts';

/** Counts of a fleet that keeps its guarantee. */
export const kept = {
  lost: 0,
  duplicated: 0,
  unexpected: 0,
  outOfOrder: 0,
  sideBySide: 0,
  overQuota: 0,
  misstated: 0,
  unfinished: 0,
  problems: [],
} as const;

/**
 * Simulates one fleet after the other.
 *
 * @param onSeed Called with each seed before it is tried.
 * @returns How much happened to them.
 */
export async function expectFleetsKeepPromise(
  firstSeed: number,
  count: number,
  onSeed: (seed: number) => void = () => {},
) {
  const sum = { accidents: 0, takeovers: 0, requests: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    onSeed(seed);
    const { accidents, takeovers, requests, ...promised } = await simulateFleet({ seed });
    expect(promised, `seed ${seed}`).toEqual({ seed, ...kept });
    sum.accidents += accidents;
    sum.takeovers += takeovers;
    sum.requests += requests;
  }
  return sum;
}
