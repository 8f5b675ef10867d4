import type { Clock } from '../../lib/flow/clock.ts';
import { type ImportOutcome, isHeldBack } from '../../service/outcome.ts';
import type { Destination } from '../destination.ts';

/** One request, as far as the load of the destination shows in it. Times are monotonic ms. */
export interface ObservedRequest {
  readonly leftAtMs: number;
  readonly answeredAtMs: number;
  /** Whether it was rate limited or got no proper answer from the service: a reset, a timeout, a 5xx. */
  readonly isOverload: boolean;
}

/** Weight of a new window in the running mean of response times, as in Vector's adaptive concurrency. */
const smoothing = 0.4;
/** So many standard deviations above the mean, a response time is no chance any more. */
const deviationsMax = 2.5;
/** Differences below this are noise of a loopback or of one slow commit, and mean nothing. In ms. */
const noiseMs = 100;
const decreaseOnOverload = 0.5;
const decreaseOnDelay = 0.9;

/**
 * Limits how many requests may be in flight: additive increase, multiplicative decrease, based on response times and
 * errors.
 *
 * Begins with 1 and doubles with every round (as many answers as requests may be in flight) until the first trouble.
 * With a healthy destination it reaches a cap of 8 after 7 answers. From then on, each round that used the whole limit
 * adds 1. Trouble halves the limit. A round that takes longer than the mean plus 2.5 standard deviations multiplies it
 * by 0.9. The limit is never below 1, never above the cap, and never raised by a round that did not need it.
 */
export class AdaptiveConcurrency {
  readonly max: number;
  /** A fraction is kept, so that two decreases by a tenth are a fifth. */
  #exact = 1;
  #isStarting = true;
  #meanMs: number | undefined;
  #varianceMs = 0;
  /** Requests that left before the latest decrease say nothing about the new limit. */
  #decreasedAtMs = Number.NEGATIVE_INFINITY;
  #round = newRound();
  /** The limit before the latest decrease for an overload. */
  #before = { exact: 1, isStarting: true };

  /** @param max The cap, 1 or more. */
  constructor(max: number) {
    this.max = max;
  }

  get limit(): number {
    return Math.floor(this.#exact);
  }

  /** A request leaves, as one of so many that are then in flight. */
  noteLeft(inFlightCount: number): void {
    if (inFlightCount >= this.limit) this.#round.wasFull = true;
  }

  note({ leftAtMs, answeredAtMs, isOverload }: ObservedRequest): void {
    if (leftAtMs <= this.#decreasedAtMs) return;
    if (isOverload) {
      this.#before = { exact: this.#exact, isStarting: this.#isStarting };
      this.#decrease(decreaseOnOverload, answeredAtMs);
      return;
    }
    this.#round.count++;
    this.#round.totalMs += answeredAtMs - leftAtMs;
    if (this.#round.count >= this.limit) this.#endRound(answeredAtMs);
  }

  /** The latest request that looked like an overload was carried out. */
  forgive(): void {
    this.#exact = Math.max(this.#exact, this.#before.exact);
    this.#isStarting ||= this.#before.isStarting;
  }

  #endRound(nowMs: number): void {
    const { count, totalMs, wasFull } = this.#round;
    const roundMs = totalMs / count;
    const meanMs = this.#meanMs ?? roundMs;
    const isDelayed = roundMs > meanMs + Math.max(noiseMs, deviationsMax * Math.sqrt(this.#varianceMs));
    this.#learn(roundMs, meanMs);
    if (isDelayed) {
      this.#decrease(decreaseOnDelay, nowMs);
      return;
    }
    this.#round = newRound();
    if (wasFull) this.#exact = Math.min(this.max, this.#isStarting ? this.#exact * 2 : this.#exact + 1);
  }

  #learn(roundMs: number, meanMs: number): void {
    const difference = roundMs - meanMs;
    this.#meanMs = meanMs + smoothing * difference;
    this.#varianceMs = (1 - smoothing) * (this.#varianceMs + smoothing * difference ** 2);
  }

  #decrease(factor: number, nowMs: number): void {
    this.#exact = Math.max(1, this.#exact * factor);
    this.#isStarting = false;
    this.#decreasedAtMs = nowMs;
    this.#round = newRound();
  }
}

/** Answers since the limit was last looked at. */
const newRound = () => ({ count: 0, totalMs: 0, wasFull: false });

/** Reports the duration and outcome of each request. Innermost wrapper, so none of our own waits counts as the destination's. */
export function withAdaptiveConcurrency(
  inner: Destination,
  concurrency: AdaptiveConcurrency,
  clock: Clock,
): Destination {
  let inFlightCount = 0;
  return {
    async send(batch, signal, permit) {
      const leftAtMs = clock.monotonic();
      concurrency.noteLeft(++inFlightCount);
      try {
        const outcome = await inner.send(batch, signal, permit);
        if (!isHeldBack(outcome))
          concurrency.note({ leftAtMs, answeredAtMs: clock.monotonic(), isOverload: isOverload(outcome) });
        return outcome;
      } finally {
        inFlightCount--;
      }
    },
  };
}

/** Returns whether fewer concurrent requests may help against this outcome. They do not help with a message that is not acceptable. */
function isOverload(outcome: ImportOutcome): boolean {
  if (outcome.kind === 'not-applied') return outcome.why === 'rate-limited' || outcome.why === 'unreachable';
  return outcome.kind === 'unknown';
}
