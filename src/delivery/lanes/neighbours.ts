import type { Arrivals } from '../../checkpoint/delivery.ts';
import type { Clock } from '../../lib/flow/clock.ts';

/** Of the latest requests, how many are looked at. */
const windowSize = 40;
/** A message is called refused where chance would do that to one in a million. */
const chanceMax = 1e-6;
/** So many that led to one message are enough where nobody failed without a cause, however few were answered. */
const manyFailures = 14;
/** Where more requests fail than this, it is as if it were this. */
const shareMax = 0.8;
/** By so many standard errors the true share may well be higher than what was seen. */
const likelyErrors = 2;
/** But more than this only where it was seen: a message that is to blame has to be found out in an hour. */
const likelyShareMax = 0.5;
/** So many messages in a row may always be to blame; more where that has happened to others once in a hundred times. */
const fewMax = 5;
const likelyMin = 0.01;

/**
 * What a run's other requests come to, which tells whether a message that nobody answers is to blame for it, or the destination.
 * An answer counts for the messages in it, and so does a request without one of which at least something is there.
 */
export class Neighbours {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #arrivals: Pick<Arrivals, 'latestMs' | 'refusedShare'>;
  #sentCount = 0;
  #lastAnswered = 0;
  /** Of the latest requests, whether they were answered; others failed, and nothing in them was to blame. A ring. */
  readonly #results: boolean[] = [];
  #next = 0;

  constructor(clock: Pick<Clock, 'now'>, arrivals: Pick<Arrivals, 'latestMs' | 'refusedShare'>) {
    this.#clock = clock;
    this.#arrivals = arrivals;
  }

  /** Requests that have left. */
  get sentCount(): number {
    return this.#sentCount;
  }

  /** The latest of them that was answered, by its number. 0: none. */
  get lastAnswered(): number {
    return this.#lastAnswered;
  }

  /** Somebody was: in this run, or in an earlier one that ended not longer ago than this. */
  areAnswered(withinMs: number): boolean {
    const { latestMs } = this.#arrivals;
    return this.#lastAnswered > 0 || this.#clock.now() - (latestMs() ?? -Infinity) < withinMs;
  }

  /** By what became of all messages there, so many in a row may well be to blame. */
  mayAllBeToBlame(count: number): boolean {
    return count <= fewMax || this.#arrivals.refusedShare() ** count >= likelyMin;
  }

  /** A request leaves. @returns Its number, from 1. */
  leaves(): number {
    return ++this.#sentCount;
  }

  noteAnswered(number: number): void {
    this.#lastAnswered = Math.max(this.#lastAnswered, number);
    this.#note(true);
  }

  /** A request failed, and everything in it arrived with later ones. */
  noteWithoutCause(): void {
    this.#note(false);
  }

  #note(isAnswered: boolean): void {
    this.#results[this.#next] = isAnswered;
    this.#next = (this.#next + 1) % windowSize;
  }

  /** Some of the latest requests failed although nothing in them was to blame. */
  get areTroubled(): boolean {
    return this.#results.includes(false);
  }

  /**
   * Whether so many failures that led to one message, one after the other, are more than chance: also where little is known of others yet,
   * and by that nothing but good.
   */
  isBeyondChance(failures: number): boolean {
    return (
      (failures >= manyFailures && !this.areTroubled) || failures * Math.log(this.#failingShare()) < Math.log(chanceMax)
    );
  }

  /**
   * How often a message must have failed alone before it is to blame: more often than others that are not, so that a destination
   * which fails every third request refuses nothing.
   *
   * @param usual where nobody fails without a cause.
   */
  failuresNeeded(usual: number): number {
    if (!this.areTroubled) return usual;
    return Math.max(usual, Math.ceil(Math.log(chanceMax) / Math.log(this.#failingShare())));
  }

  /**
   * Of the requests in which nothing is to blame, the share that fails, as high as it may well be: a dozen answers in a row say little of
   * a destination that fails every third request.
   */
  #failingShare(): number {
    const count = this.#results.length + 3;
    const failed = this.#results.filter((isAnswered) => !isAnswered).length;
    const share = (failed + 1.5) / count;
    const highest = Math.min(share + likelyErrors * Math.sqrt((share * (1 - share)) / count), likelyShareMax);
    return Math.min(Math.max(share, highest), shareMax);
  }
}
