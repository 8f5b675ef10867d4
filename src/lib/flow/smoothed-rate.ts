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
