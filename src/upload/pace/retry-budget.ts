/** 500 tokens, 5 for a repeated request, 10 after a timeout, 1 back for a clean success: the AWS SDK's retry quota. */
const tokensMax = 500;

/**
 * What a request costs that is sent again. `told`: the service said when to come back. `silence`: nobody answered, or not as the
 * service does; a destination that is down should not be asked by everybody at once.
 */
const costs = { told: 5, silence: 10 } as const;

/**
 * Bounds what we add to the load of a destination that is in trouble: of requests that nobody answered, 50 may be repeated at
 * once, and from then on one for every ten that succeed.
 */
export class RetryBudget {
  #tokens = tokensMax;

  get isEmpty(): boolean {
    return this.#tokens < costs.silence;
  }

  /** A request succeeded at its first attempt. */
  earn(): void {
    this.#tokens = Math.min(tokensMax, this.#tokens + 1);
  }

  spend(why: keyof typeof costs): void {
    this.#tokens = Math.max(0, this.#tokens - costs[why]);
  }

  /** The destination answers again: half of what there was at the beginning. */
  refill(): void {
    this.#tokens = Math.max(this.#tokens, tokensMax / 2);
  }
}
