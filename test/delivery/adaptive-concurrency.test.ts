import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdaptiveConcurrency } from '../../src/delivery/pace/adaptive-concurrency.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';

/** A destination's reaction to a request: how long it takes, given how many are in flight, and whether it is trouble. */
type Script = (inFlightCount: number, number: number) => { readonly ms: number; readonly isOverload?: boolean };

/** Sends so many requests, always as many at once as may be. @returns The limit after each answer. */
function limitsOver(concurrency: AdaptiveConcurrency, requests: number, script: Script, wantedMax = 64): number[] {
  const limits: number[] = [];
  let nowMs = 0;
  const inFlight: { readonly leftAtMs: number; readonly answeredAtMs: number; readonly isOverload: boolean }[] = [];
  for (let sent = 0; limits.length < requests; ) {
    while (inFlight.length < Math.min(concurrency.limit, wantedMax)) {
      concurrency.noteLeft(inFlight.length + 1);
      const { ms, isOverload = false } = script(inFlight.length + 1, sent++);
      inFlight.push({ leftAtMs: nowMs, answeredAtMs: nowMs + ms, isOverload });
    }
    inFlight.sort((a, b) => a.answeredAtMs - b.answeredAtMs);
    const next = inFlight.shift()!;
    nowMs = Math.max(nowMs, next.answeredAtMs);
    concurrency.note(next);
    limits.push(concurrency.limit);
  }
  return limits;
}

describe('AdaptiveConcurrency', () => {
  it('is at a cap of 8 after 7 answers of a destination that is well', () => {
    const limits = limitsOver(new AdaptiveConcurrency(8), 9, () => ({ ms: 5 }));
    expect(limits).toEqual([2, 2, 4, 4, 4, 4, 8, 8, 8]);
  });

  it('stays at the cap where times only jitter', () => {
    const random = seededRandom(1);
    const limits = limitsOver(new AdaptiveConcurrency(8), 2000, () => ({ ms: 300 + 90 * random() }));
    expect(Math.min(...limits.slice(100))).toBe(8);
  });

  it('stays at the cap where requests queue up behind each other on a fast machine', () => {
    const limits = limitsOver(new AdaptiveConcurrency(8), 500, (inFlightCount) => ({ ms: 8 * inFlightCount }));
    expect(Math.min(...limits.slice(20))).toBe(8);
  });

  it('halves at trouble, once for all requests that were in flight together, and climbs by 1 a round', () => {
    const script: Script = (_, number) => ({ ms: 10, isOverload: number >= 104 && number < 108 });
    const limits = limitsOver(new AdaptiveConcurrency(8), 200, script);
    expect(Math.min(...limits.slice(20))).toBe(4);
    expect(limits.at(-1)).toBe(8);
    const steps = limits.slice(101).map((limit, index, all) => limit - (all[index - 1] ?? limit));
    expect(Math.max(...steps)).toBe(1);
  });

  it('falls to 1 while everything fails, and never below', () => {
    const limits = limitsOver(new AdaptiveConcurrency(8), 100, (_, number) => ({ ms: 10, isOverload: number > 20 }));
    expect(limits.at(-1)).toBe(1);
    expect(Math.min(...limits)).toBe(1);
  });

  it('takes a tenth away, round by round, where answers suddenly take much longer, until they are usual', () => {
    const limits = limitsOver(new AdaptiveConcurrency(20), 800, (_, number) => ({ ms: number < 300 ? 100 : 2000 }));
    expect(limits[290]).toBe(20);
    expect(limits.slice(300)).toContain(18);
    expect(Math.min(...limits.slice(300))).toBeGreaterThanOrEqual(14);
    expect(limits.at(-1)).toBeGreaterThan(18);
  });

  it('is not raised by rounds that do not need it', () => {
    const limits = limitsOver(new AdaptiveConcurrency(64), 100, () => ({ ms: 10 }), 3);
    expect(Math.max(...limits)).toBe(4);
  });

  it('is a whole number from 1 to the cap, whatever happens', () => {
    const answers = fc.array(fc.record({ ms: fc.nat({ max: 100_000 }), isOverload: fc.boolean() }), { minLength: 1 });
    const property = fc.property(fc.integer({ min: 1, max: 64 }), answers, (max, script) => {
      const limits = limitsOver(new AdaptiveConcurrency(max), 200, (_, number) => script[number % script.length]!);
      return limits.every((limit) => Number.isInteger(limit) && limit >= 1 && limit <= max);
    });
    fc.assert(property);
  });
});
