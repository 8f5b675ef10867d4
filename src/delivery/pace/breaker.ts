import type { Clock } from '../../lib/flow/clock.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { Failure } from '../../service/outcome.ts';
import { probeEveryMs, retryCosts, retryTokensMax, silenceMaxMs } from './limits.ts';

export interface BreakerOptions {
  /** One read that changes nothing. @returns Whether anything answered. */
  readonly probe: (signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
}

/**
 * Sends nothing while a destination is down, and asks it now and then whether it is back.
 *
 *     closed ──retry budget empty, or every attempt of a request failed──▶ open ──a probe is answered──▶ closed
 *                                                                           └──10 minutes of silence──▶ the run stops
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #budget = new RetryBudget();
  /** While it is open: resolves with whether the destination came back. */
  #opened: Promise<boolean> | undefined;
  /** An import was answered since it was last open, or since the beginning. */
  #hasAnswered = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** An import was answered. `isClean`: at its first attempt. */
  noteAnswer(isClean: boolean): void {
    this.#hasAnswered = true;
    if (isClean) this.#budget.earn();
  }

  /** A request will be sent again; where too many were, not before the destination has answered a probe. */
  spend(why: 'asked' | 'silence', failure: Pick<Failure, 'code' | 'detail'>, signal: AbortSignal): void {
    this.#budget.spend(why);
    if (this.#budget.isEmpty) void this.#open(failure, signal).catch(() => {});
  }

  /** Resolves when requests may leave. @throws DestinationError when the silence lasts too long. */
  async closed(): Promise<void> {
    if (this.#opened && !(await this.#opened)) throw silentError();
  }

  /**
   * Waits for the destination to come back after every attempt of a request failed.
   *
   * @returns false if waiting is no use: the destination has not answered since the last time, or in this run, or it
   *   stays silent.
   */
  async outlast(failure: Pick<Failure, 'code' | 'detail'>, signal: AbortSignal): Promise<boolean> {
    if (this.#opened) return await this.#opened;
    if (!this.#hasAnswered) return false;
    return await this.#open(failure, signal);
  }

  #open({ code, detail }: Pick<Failure, 'code' | 'detail'>, signal: AbortSignal): Promise<boolean> {
    this.#hasAnswered = false;
    this.#opened ??= this.#waitForAnswer(`${code}: ${detail}`, signal).finally(() => (this.#opened = undefined));
    return this.#opened;
  }

  async #waitForAnswer(why: string, signal: AbortSignal): Promise<boolean> {
    const { probe, clock, onWait } = this.#options;
    const endsAt = clock.monotonic() + silenceMaxMs;
    for (let waitMs = 1000; clock.monotonic() < endsAt; waitMs = Math.min(waitMs * 2, probeEveryMs)) {
      onWait(waitMs, `the destination does not answer (${why}); it is asked again until it does, for 10 minutes`);
      await clock.sleep(waitMs, signal);
      if (!(await probe(signal))) continue;
      this.#budget.refill();
      return true;
    }
    return false;
  }
}

const silentError = () =>
  new DestinationError('Stopped: the destination has not answered for 10 minutes', {
    code: 'silent',
    hint: 'Run the same command again when the service answers',
  });

/**
 * Bounds the load that retries add to a destination in trouble: 50 unanswered requests may be repeated at once, and
 * from then on one for every ten that succeed.
 */
export class RetryBudget {
  #tokens = retryTokensMax;

  get isEmpty(): boolean {
    return this.#tokens < retryCosts.silence;
  }

  /** A request succeeded at its first attempt. */
  earn(): void {
    this.#tokens = Math.min(retryTokensMax, this.#tokens + 1);
  }

  spend(why: keyof typeof retryCosts): void {
    this.#tokens = Math.max(0, this.#tokens - retryCosts[why]);
  }

  /** The destination answers again: half of what there was at the beginning. */
  refill(): void {
    this.#tokens = Math.max(this.#tokens, retryTokensMax / 2);
  }
}
