import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';

/**
 * The system's clock for who cannot wait: a sleep takes no time, and the clock jumps by as much. Several that sleep side by side make
 * it jump by the sum, so it is for waits between requests and not for times that are compared.
 *
 * @param onSleep Is told of every wait, in ms.
 */
export function hurriedClock(onSleep: (ms: number) => void = () => {}): Clock {
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
