import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';

/**
 * Returns the system's clock without waiting: a sleep takes no time, and the clock jumps by its length. Several
 * parallel sleeps make it jump by the sum. So it is for waits between requests and not for times that are compared.
 *
 * @param onSleep Called for every wait, in ms.
 */
export function fastClock(onSleep: (ms: number) => void = () => {}): Clock {
  let skippedMs = 0;
  return {
    now: () => systemClock.now() + Math.floor(skippedMs),
    monotonic: () => systemClock.monotonic() + skippedMs,
    uptime: () => systemClock.uptime() + skippedMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      onSleep(ms);
      skippedMs += Math.max(ms, 0);
      await turn();
      signal?.throwIfAborted();
    },
  };
}
