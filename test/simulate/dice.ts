import { seededRandom } from '../../src/lib/flow/seeded-random.ts';

/** Randomness that is the same for the same seed. */
export class Dice {
  /** In [0, 1). */
  readonly next: () => number;

  /** @param seed whole; only its lower 32 bits count. */
  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** The same, but every order of magnitude is as likely as the next. @param low at least 1. */
  magnitude(low: number, high: number): number {
    return Math.floor(low * (high / low) ** this.next());
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)]!;
  }

  /** Others that do not depend on how often this one is thrown from now on. */
  fork(): Dice {
    return new Dice(Math.floor(this.next() * 2 ** 32));
  }
}
