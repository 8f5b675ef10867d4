import { pino } from 'pino';
import { systemClock } from '../../lib/clock.ts';
import { forTerminal } from '../../lib/plain-text.ts';
import type { TerminalProgress } from './surroundings.ts';

/** JSON lines for machines: counts and reasons only, never content. */
export function logProgress(): TerminalProgress {
  const destination = pino.destination({ dest: 2, sync: true });
  // A full disk or a reader that went away is no reason to stop. What could not be written is kept, a line a second at most,
  // and follows as soon as something can be written again.
  destination.on('error', () => {});
  const logger = pino({ base: null }, destination);
  return {
    stage(stage, options) {
      logger.info({ stage, ...options }, 'started');
      let last = -Infinity;
      return {
        update(state) {
          const now = systemClock.monotonic();
          if (now - last < 1000 && state.waiting === undefined) return;
          last = now;
          logger.info({ stage, ...state }, state.waiting === undefined ? 'progress' : 'waiting');
        },
        finish: (summary) => logger.info({ stage, summary }, 'finished'),
      };
    },
    log: (line) => logger.info(forTerminal(line)),
    close() {},
  };
}
