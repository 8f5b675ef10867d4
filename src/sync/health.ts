import type { Clock } from '../lib/clock.ts';
import type { SyncListener } from './events.ts';

/** The scheduler looks up every 30 s at most; four times that without a sign is no longer a busy moment. */
const silenceMaxMs = 120_000;

/** Whether the process is well, and whether it does its work. One that has no scheduler (`--once`) never stalls. */
export interface Health extends SyncListener {
  /** Nothing where the loop moved lately, else how long it has not, in ms. */
  stalledMs(): number | undefined;
  /** `ready` once configuration and state were read, until it is asked to stop. */
  readiness(): 'starting' | 'ready' | 'stopping';
}

/** Goes by time that never jumps: a machine that slept is not ill when it wakes. */
export function watchHealth(clock: Pick<Clock, 'monotonic'>): Health {
  let lastBeatMs: number | undefined;
  let readiness: ReturnType<Health['readiness']> = 'starting';
  return {
    started() {
      if (readiness === 'starting') readiness = 'ready';
    },
    beat() {
      lastBeatMs = clock.monotonic();
    },
    stopping() {
      readiness = 'stopping';
    },
    stalledMs() {
      const silenceMs = clock.monotonic() - (lastBeatMs ?? clock.monotonic());
      return silenceMs > silenceMaxMs ? silenceMs : undefined;
    },
    readiness: () => readiness,
  };
}
