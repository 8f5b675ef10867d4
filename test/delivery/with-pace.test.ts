import { describe, expect, it } from 'vitest';
import { type Destination, noRequests, NotSent } from '../../src/delivery/destination.ts';
import { type Pace, unpaced, withPace } from '../../src/delivery/pace.ts';
import { answered, destinationOf, emptyBatch, notApplied, unknown } from './fixture.ts';

const forever = new AbortController().signal;

describe('withPace()', () => {
  /** Returns a pace that logs its calls. */
  function recorded(): { pace: Pace; log: string[] } {
    const log: string[] = [];
    const pace: Pace = {
      ...unpaced,
      async take(kind) {
        log.push(`take ${kind}`);
      },
      hold: (kind, ms) => log.push(`hold ${kind} ${ms}`),
    };
    return { pace, log };
  }

  it('takes a slot before each request, and counts it', async () => {
    const { pace, log } = recorded();
    const counts = noRequests();
    const inner: Destination = {
      async send() {
        log.push('send');
        return answered;
      },
    };
    expect(await withPace(inner, pace, counts, forever).send(emptyBatch(), forever)).toBe(answered);
    expect([log, counts.import]).toEqual([['take import', 'send'], 1]);
  });

  it.each([
    [notApplied('rate-limited', 7000), ['take import', 'hold import 7000'], 1],
    [notApplied('rate-limited'), ['take import', 'hold import 0'], 1],
    [notApplied('unreachable', 7000), ['take import'], 0],
    [unknown, ['take import'], 0],
  ])('passes the wait that the service asked for to the pace: %j', async (outcome, expected, rateLimited) => {
    const { pace, log } = recorded();
    const counts = noRequests();
    await withPace(destinationOf(outcome), pace, counts, forever).send(emptyBatch(), forever);
    expect([log, counts.rateLimited]).toEqual([expected, rateLimited]);
  });

  it('sends nothing if it is stopped before its turn', async () => {
    const inner = destinationOf(answered);
    const counts = noRequests();
    const stop = new AbortController();
    const pace: Pace = { ...unpaced, take: (_, signal) => Promise.reject(signal.reason) };
    stop.abort(new Error('stopped'));
    const sending = withPace(inner, pace, counts, stop.signal).send(emptyBatch(), forever);
    await expect(sending).rejects.toThrow(NotSent);
    expect([inner.calls, counts.import]).toEqual([0, 0]);
  });

  it('passes on the reason why no slot is available', async () => {
    const pace: Pace = { ...unpaced, take: () => Promise.reject(new Error('silence')) };
    const sending = withPace(destinationOf(answered), pace, noRequests(), forever).send(emptyBatch(), forever);
    await expect(sending).rejects.toThrow('silence');
  });
});
