import type { Clock } from '../lib/clock.ts';
import type { Progress } from '../lib/progress.ts';

/** What a listener is notified of: counts and reasons, never content. */
type Notify = (line: Readonly<Record<string, unknown>>) => void;

/** A line of the same stage a second at most. */
const intervalMs = 1000;

/** The progress of one job among several: every stage carries its name, and whoever listens is notified of it as well. */
export function jobProgress(
  progress: Progress,
  job: string,
  clock: Pick<Clock, 'monotonic'>,
  notify: Notify,
): Progress {
  return {
    stage(name, options) {
      const stage = progress.stage(`${job}: ${name}`, options);
      let last = Number.NEGATIVE_INFINITY;
      notify({ stage: name, ...options });
      return {
        update(state) {
          stage.update(state);
          const now = clock.monotonic();
          if (now - last < intervalMs) return;
          last = now;
          notify({ stage: name, ...state });
        },
        finish(summary) {
          stage.finish(summary);
          notify({ stage: name, finished: true });
        },
      };
    },
  };
}
