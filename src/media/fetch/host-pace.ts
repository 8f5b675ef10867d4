import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../lib/flow/clock.ts';

/** Connections in a row that came to nothing, before a host is left in peace. */
const failuresMax = 5;
/** Its first rest, in ms; the next ones are twice as long, each. */
const firstRestMs = 60_000;
const restMaxMs = 3_600_000;
/** A longer rest than this, in ms, is not waited for: an outage of some minutes is over by then, and a host that is gone is not. */
const patienceMs = 120_000;
/** Hosts that are remembered, of some 200 bytes each. */
const hostsMax = 10_000;

interface Host {
  readonly limit: LimitFunction;
  /** By the monotonic clock, as the next one. */
  restsUntilMs: number;
  goneUntilMs: number;
  failures: number;
}

/**
 * How many requests a host gets at once, and when it gets none: while a Retry-After of its own lasts, and longer and longer
 * where connections come to nothing, so that ten thousand files of a host that is gone do not wait for it one by one.
 */
export class HostPace {
  readonly #hosts = new Map<string, Host>();
  readonly #perHost: number;
  readonly #clock: Clock;

  constructor(perHost: number, clock: Clock) {
    this.#perHost = perHost;
    this.#clock = clock;
  }

  /** Does it when the host has a place free. */
  enter<T>(host: string, work: () => Promise<T>): Promise<T> {
    return this.#of(host).limit(work);
  }

  /** How long the host gets no request, in ms; 0: it may be asked. */
  restMs(host: string): number {
    return Math.max(0, (this.#hosts.get(host)?.restsUntilMs ?? 0) - this.#clock.monotonic());
  }

  /** Returns how long no request is sent to the host because it seems to be gone, in ms. */
  goneMs(host: string): number {
    return Math.max(0, (this.#hosts.get(host)?.goneUntilMs ?? 0) - this.#clock.monotonic());
  }

  rest(host: string, ms: number): void {
    const known = this.#of(host);
    known.restsUntilMs = Math.max(known.restsUntilMs, this.#clock.monotonic() + ms);
  }

  /** It answered, whatever it said. */
  answered(host: string): void {
    const known = this.#hosts.get(host);
    if (known) known.failures = 0;
  }

  /** No answer at all. */
  failed(host: string): void {
    const known = this.#of(host);
    known.failures += 1;
    const times = known.failures - failuresMax;
    if (times < 0 || this.restMs(host) > 0) return;
    const restMs = Math.min(restMaxMs, firstRestMs * 2 ** times);
    this.rest(host, restMs);
    if (restMs > patienceMs) known.goneUntilMs = known.restsUntilMs;
  }

  #of(host: string): Host {
    const known = this.#hosts.get(host);
    if (known) return known;
    if (this.#hosts.size >= hostsMax) this.#forgetIdle();
    const before = Number.NEGATIVE_INFINITY;
    const made: Host = { limit: pLimit(this.#perHost), restsUntilMs: before, goneUntilMs: before, failures: 0 };
    this.#hosts.set(host, made);
    return made;
  }

  #forgetIdle(): void {
    for (const [name, { limit }] of this.#hosts) {
      if (limit.activeCount + limit.pendingCount === 0 && this.restMs(name) === 0) this.#hosts.delete(name);
    }
  }
}
