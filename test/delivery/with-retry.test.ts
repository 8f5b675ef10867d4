import { describe, expect, it } from 'vitest';
import type { ImportOutcome } from '../../src/service/outcome.ts';
import { Breaker } from '../../src/delivery/pace/breaker.ts';
import { type Destination, noRequests, NotSent } from '../../src/delivery/destination.ts';
import { type RetryOptions, withRetry } from '../../src/delivery/pace/with-retry.ts';
import { answered, destinationOf, emptyBatch, notApplied, unknown } from './fixture.ts';
import { manualClock } from './manual-clock.ts';

const forever = new AbortController().signal;

function retrying(inner: Destination, changes: Partial<RetryOptions> = {}) {
  const clock = manualClock();
  const counts = noRequests();
  const waits: [number, string][] = [];
  const onWait = (ms: number, why: string) => waits.push([ms, why]);
  const destination = withRetry(inner, {
    breaker: new Breaker({ probe: async () => false, clock, onWait() {} }),
    clock,
    random: () => 0.5,
    counts,
    onWait,
    pausing: forever,
    ...changes,
  });
  return { destination, clock, counts, waits };
}

/** Returns the outcome of a send that gets as much time as it needs. */
async function outcomeOf(
  { destination, clock }: ReturnType<typeof retrying>,
  signal = forever,
): Promise<ImportOutcome> {
  const sending = destination.send(emptyBatch(), signal);
  await clock.advance(3_600_000);
  return await sending;
}

describe('withRetry()', () => {
  it('sends an answered request once', async () => {
    const inner = destinationOf(answered);
    const retry = retrying(inner);
    expect(await outcomeOf(retry)).toBe(answered);
    expect([inner.calls, retry.counts.retried, retry.waits]).toEqual([1, 0, []]);
  });

  it('repeats what surely changed nothing, after exact waits, and says why it waits', async () => {
    const inner = destinationOf(notApplied('unreachable'), notApplied('rate-limited'), answered);
    const retry = retrying(inner);
    expect(await outcomeOf(retry)).toBe(answered);
    expect([inner.calls, retry.counts.retried]).toEqual([3, 2]);
    expect(retry.clock.slept).toEqual([250, 15_000]);
    expect(retry.waits).toEqual([
      [250, 'unreachable: its words'],
      [15_000, 'rate-limited: its words'],
    ]);
  });

  it('gives up after its attempts, with the last outcome', async () => {
    const inner = destinationOf(notApplied('unreachable'));
    const retry = retrying(inner);
    expect(await outcomeOf(retry)).toMatchObject({ why: 'unreachable' });
    expect(inner.calls).toBe(6);
    expect(retry.clock.slept).toEqual([250, 500, 1000, 2000, 4000]);
  });

  it('waits for minutes if the rate is limited and no wait is given', async () => {
    const retry = retrying(destinationOf(notApplied('rate-limited')));
    expect(await outcomeOf(retry)).toMatchObject({ why: 'rate-limited' });
    expect(retry.clock.slept).toEqual([7500, 15_000, 30_000, 30_000, 30_000]);
  });

  it('waits as long as the server says, without jitter, and longer where that is nothing', async () => {
    const retry = retrying(destinationOf(notApplied('rate-limited', 7000), notApplied('rate-limited', 0), answered));
    expect(await outcomeOf(retry)).toBe(answered);
    expect(retry.clock.slept).toEqual([7000, 500]);
  });

  it('leaves a wait beyond its limit to the caller', async () => {
    const inner = destinationOf(notApplied('rate-limited', 600_001), answered);
    const retry = retrying(inner);
    expect(await outcomeOf(retry)).toMatchObject({ retryAfterMs: 600_001 });
    expect(inner.calls).toBe(1);
  });

  it.each(['too-large', 'rejected', 'stop'] as const)('does not repeat a request with the result %s', async (why) => {
    const inner = destinationOf(notApplied(why), answered);
    expect(await outcomeOf(retrying(inner))).toMatchObject({ why });
    expect(inner.calls).toBe(1);
  });

  it('leaves an unknown outcome to the caller', async () => {
    const inner = destinationOf(unknown, answered);
    expect(await outcomeOf(retrying(inner))).toBe(unknown);
    expect(inner.calls).toBe(1);
  });

  it('stopped while it waits, answers with what surely changed nothing, so that nothing is unconfirmed', async () => {
    const inner = destinationOf(notApplied('rate-limited', 60_000), answered);
    const stop = new AbortController();
    const { destination, clock } = retrying(inner, { pausing: stop.signal });
    const sending = destination.send(emptyBatch(), forever);
    await clock.advance(1000);
    stop.abort(new Error('stopped'));
    expect(await sending).toMatchObject({ why: 'rate-limited' });
    expect(inner.calls).toBe(1);
  });

  it('called off before a further attempt leaves, answers with what surely changed nothing', async () => {
    let calls = 0;
    const inner: Destination = {
      async send() {
        if (++calls === 1) return notApplied('unreachable');
        throw new NotSent('stopped');
      },
    };
    expect(await outcomeOf(retrying(inner))).toMatchObject({ why: 'unreachable' });
  });

  it('waits for a destination that recovers soon, if it has answered in this run', async () => {
    const down = Array.from({ length: 6 }, () => notApplied('unreachable'));
    const inner = destinationOf(answered, ...down, answered);
    const clock = manualClock();
    let probes = 0;
    const breaker = new Breaker({ probe: async () => ++probes === 5, clock, onWait() {} });
    const retry = { ...retrying(inner, { breaker, clock }), clock };
    expect(await outcomeOf(retry)).toBe(answered);
    expect(await outcomeOf(retry)).toBe(answered);
    expect([inner.calls, probes]).toEqual([8, 5]);
  });
});
