import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, RetryBudget } from '../../src/delivery/pace/breaker.ts';
import { type ManualClock, manualClock, settled } from './manual-clock.ts';

const forever = new AbortController().signal;
const words = { code: 'ECONNREFUSED', detail: 'connect ECONNREFUSED' };

/** A destination that answers probes from so many ms on; `at` is when it was asked. */
function breakerOf(clock: ManualClock, backAtMs: number): { breaker: Breaker; at: number[] } {
  const at: number[] = [];
  const probe = async () => {
    at.push(clock.monotonic());
    return clock.monotonic() >= backAtMs;
  };
  return { breaker: new Breaker({ probe, clock, onWait() {} }), at };
}

describe('RetryBudget', () => {
  it('allows 50 repetitions into a silence, and one more for every ten successes', () => {
    const property = fc.property(fc.array(fc.constantFrom('success', 'retry'), { maxLength: 2000 }), (events) => {
      const budget = new RetryBudget();
      let [successes, retries] = [0, 0];
      for (const event of events) {
        if (event === 'success') {
          budget.earn();
          successes++;
        } else if (!budget.isEmpty) {
          budget.spend('silence');
          retries++;
        }
      }
      return retries <= 50 + successes / 10;
    });
    fc.assert(property);
  });

  it('allows twice as many retries if the service sets the delay', () => {
    const budget = new RetryBudget();
    let retries = 0;
    for (; !budget.isEmpty; retries++) budget.spend('asked');
    expect(retries).toBe(99);
  });
});

describe('Breaker', () => {
  it('opens when the budget is empty, and closes when a probe is answered', async () => {
    const clock = manualClock();
    const { breaker, at } = breakerOf(clock, 10_000);
    for (let retry = 0; retry < 49; retry++) breaker.spend('silence', words, forever);
    await breaker.closed();
    breaker.spend('silence', words, forever);
    const closed = breaker.closed().then(() => clock.monotonic());
    await clock.advance(60_000);
    expect(await closed).toBe(15_000);
    expect(at).toEqual([1000, 3000, 7000, 15_000]);
  });

  it('asks every 30 s once it has asked a few times, and gives up after 10 minutes', async () => {
    const clock = manualClock();
    const { breaker, at } = breakerOf(clock, Number.POSITIVE_INFINITY);
    breaker.noteAnswer(true);
    const outlasted = breaker.outlast(words, forever);
    const waiting = expect(breaker.closed()).rejects.toThrow('has not answered for 10 minutes');
    await clock.advance(3_600_000);
    expect(await outlasted).toBe(false);
    await waiting;
    expect(at.slice(5).every((time, index) => time - at[index + 4]! === 30_000)).toBe(true);
    expect(at.at(-1)).toBeLessThanOrEqual(630_000);
  });

  it('waits for no destination that has not answered once', async () => {
    const clock = manualClock();
    const { breaker, at } = breakerOf(clock, 0);
    expect(await breaker.outlast(words, forever)).toBe(false);
    expect(at).toEqual([]);
  });

  it('waits for it again only after an import was answered: a probe alone proves little', async () => {
    const clock = manualClock();
    const { breaker } = breakerOf(clock, 0);
    breaker.noteAnswer(true);
    const first = breaker.outlast(words, forever);
    await clock.advance(1000);
    expect(await first).toBe(true);
    expect(await breaker.outlast(words, forever)).toBe(false);
    breaker.noteAnswer(false);
    const again = breaker.outlast(words, forever);
    await clock.advance(1000);
    expect(await again).toBe(true);
  });

  it('stops waiting with the signal', async () => {
    const clock = manualClock();
    const { breaker } = breakerOf(clock, Number.POSITIVE_INFINITY);
    const stop = new AbortController();
    breaker.noteAnswer(true);
    const outlasted = expect(breaker.outlast(words, stop.signal)).rejects.toThrow('stopped');
    await settled();
    stop.abort(new Error('stopped'));
    await outlasted;
  });
});
