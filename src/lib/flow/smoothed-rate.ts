import type { Clock } from './clock.ts';

/** Things per second over the last seconds, from counts that may come thousands of times a second or once a minute. */
export interface SmoothedRate {
  /** `done` is the count so far, at the monotonic time `atMs`. */
  add(atMs: number, done: number): void;
  /** Per second; null until half a second has been seen. */
  perSecond(atMs: number): number | null;
}

const seenMinMs = 500;

/** @param windowMs Counts that come closer than a fiftieth of it replace each other, so at most about 50 are kept. */
export function smoothedRate(windowMs = 5_000): SmoothedRate {
  const spacingMs = windowMs / 50;
  const samples: { atMs: number; done: number }[] = [];
  return {
    add(atMs, done) {
      const previous = samples.at(-2);
      const last = samples.at(-1);
      if (previous !== undefined && last !== undefined && last.atMs - previous.atMs < spacingMs) samples.pop();
      samples.push({ atMs, done });
      // One count from before the window stays: it marks the start of the window.
      while (samples.length > 2 && (samples[1]?.atMs ?? atMs) <= atMs - windowMs) samples.shift();
    },
    perSecond(atMs) {
      const [first] = samples;
      const last = samples.at(-1);
      if (first === undefined || last === undefined || atMs - first.atMs < seenMinMs) return null;
      return (Math.max(0, last.done - first.done) * 1_000) / (atMs - first.atMs);
    },
  };
}

export interface TimeLeftOptions {
  readonly total: number;
  /** Forecast for all messages, in ms. Absent if the rate of the destination is unknown. */
  readonly forecastMs: number | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Long enough that a wait asked for by the service counts, but does not count permanently. */
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
