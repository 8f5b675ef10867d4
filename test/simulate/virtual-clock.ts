import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/lib/flow/clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Turns of the event loop in which nothing may happen before time moves on: more than a commit or a request takes. */
const idleTurns = 4;

/**
 * A clock without real waiting: when everything that runs is asleep, time jumps to the next timer. Work that time must
 * not overtake, such as answering a request, runs inside `busy`.
 */
export class VirtualClock implements Clock {
  readonly #startMs: number;
  #now: number;
  #timers: Timer[] = [];
  #busyCount = 0;
  #isPumping = false;
  #isStopped = false;
  /** Grows with everything that happens. */
  #changes = 0;

  constructor(startMs = Date.parse('2026-11-21T12:00:00Z')) {
    this.#now = startMs;
    this.#startMs = startMs;
  }

  now(): number {
    return Math.floor(this.#now);
  }

  monotonic(): number {
    return this.#now;
  }

  uptime(): number {
    return this.#now - this.#startMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        reject(signal?.reason);
      };
      const timer = this.#add(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Calls back when the time has come, whatever else still waits. */
  after(ms: number, fire: () => void): void {
    this.#add(ms, fire);
  }

  /** Stops all timers: pending events never happen. */
  stop(): void {
    this.#timers = [];
    this.#isStopped = true;
  }

  /** Stops time until the work is done. */
  async busy<T>(work: () => T | Promise<T>): Promise<T> {
    this.#busyCount++;
    this.#changes++;
    try {
      return await work();
    } finally {
      this.#busyCount--;
    }
  }

  /** Something happened: time does not move on before everybody is asleep again. */
  touch(): void {
    this.#changes++;
  }

  #add(ms: number, fire: () => void): Timer {
    const timer = { at: this.#now + Math.max(ms, 0), fire };
    this.#timers.push(timer);
    this.#changes++;
    void this.#pump();
    return timer;
  }

  async #pump(): Promise<void> {
    if (this.#isPumping || this.#isStopped) return;
    this.#isPumping = true;
    while (this.#timers.length > 0) {
      await this.#idle();
      const next = this.#timers.reduce<Timer | undefined>(
        (first, timer) => (first && first.at <= timer.at ? first : timer),
        undefined,
      );
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
    this.#isPumping = false;
  }

  /** Resolves when nothing has happened for a few turns. */
  async #idle(): Promise<void> {
    let seen = this.#changes;
    for (let idle = 0; idle < idleTurns; idle++) {
      await turn();
      if (this.#busyCount > 0 || seen !== this.#changes) idle = -1;
      seen = this.#changes;
    }
  }
}
