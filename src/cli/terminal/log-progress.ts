import { pino } from 'pino';
import type { Clock } from '../../lib/flow/clock.ts';
import { forTerminal } from '../../lib/text/plain-text.ts';
import type { Output } from '../host.ts';
import type { Progress } from './progress.ts';

/** JSON lines for machines: counts and reasons only, never content. */
export function logProgress(stderr: Output & { readonly fd?: number }, clock: Clock): Progress {
  // Writes straight to the file behind the stream if there is one: then a line is out before the next thing happens.
  const destination: Output | ReturnType<typeof pino.destination> =
    stderr.fd === undefined ? stderr : pino.destination({ dest: stderr.fd, sync: true });
  // A full disk or a reader that went away is no reason to stop. Lines that could not be written are kept, at most one
  // a second, and follow as soon as writing works again.
  (destination as Output).on('error', () => {});
  const logger = pino({ base: null }, destination);
  return {
    stage(stage, options) {
      logger.info({ stage, ...options }, 'started');
      let last = -Infinity;
      return {
        update(state) {
          const now = clock.monotonic();
          if (now - last < 1000 && state.waiting === undefined) return;
          last = now;
          logger.info({ stage, ...state }, state.waiting === undefined ? 'progress' : 'waiting');
        },
        finish: (summary) => logger.info({ stage, summary }, 'finished'),
      };
    },
    log: (line) => logger.info(forTerminal(line)),
    unforeseen: ({ place, error, stack }) => logger.warn({ place, error, stack }, 'row not understood'),
    close() {},
  };
}
