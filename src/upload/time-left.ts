import type { Clock } from '../lib/clock.ts';
import { smoothedRate } from '../lib/smoothed-rate.ts';

export interface TimeLeftOptions {
  readonly total: number;
  /** For all of them, in ms; absent where the destination's rate is not known. */
  readonly forecastMs: number | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Long enough that a wait for the service's sake counts, and does not count for ever. */
const windowMs = 5 * 60_000;
/** From the forecast alone to what is seen alone. */
const trustedAfterMs = 60_000;

/**
 * How long the rest takes: by the forecast before the first message, by what was seen in the last five minutes after the first,
 * and in between by both, each for its share of that minute. A request that waits counts, one that is fast as well.
 *
 * @returns A function of the count so far; nothing where neither says anything yet.
 */
export function timeLeft({ total, forecastMs, clock }: TimeLeftOptions): (done: number) => { readonly etaMs?: number } {
  const startedMs = clock.monotonic();
  const seen = smoothedRate(windowMs);
  seen.add(startedMs, 0);
  const forecastEachMs = forecastMs === undefined ? undefined : forecastMs / Math.max(total, 1);
  return (done) => {
    const nowMs = clock.monotonic();
    seen.add(nowMs, done);
    const perSecond = seen.perSecond(nowMs);
    const seenEachMs = perSecond === null || perSecond === 0 ? undefined : 1_000 / perSecond;
    const trust = forecastEachMs === undefined ? 1 : Math.min(1, (nowMs - startedMs) / trustedAfterMs);
    const eachMs = seenEachMs === undefined ? forecastEachMs : trust * seenEachMs + (1 - trust) * (forecastEachMs ?? 0);
    return eachMs === undefined ? {} : { etaMs: Math.max(0, total - done) * eachMs };
  };
}
