import type { Clock } from '../lib/clock.ts';
import type { Progress } from '../lib/progress.ts';

/** What a listener hears of a run: counts and reasons, never content. */
type Tell = (line: Readonly<Record<string, unknown>>) => void;

/** A line of the same stage a second at most. */
const intervalMs = 1000;

/** The progress of one job among several: every stage carries its name, and whoever listens hears of it as well. */
export function jobProgress(progress: Progress, job: string, clock: Pick<Clock, 'monotonic'>, tell: Tell): Progress {
  return {
    stage(name, options) {
      const stage = progress.stage(`${job}: ${name}`, options);
      let last = Number.NEGATIVE_INFINITY;
      tell({ stage: name, ...options });
      return {
        update(state) {
          stage.update(state);
          const now = clock.monotonic();
          if (now - last < intervalMs) return;
          last = now;
          tell({ stage: name, ...state });
        },
        finish(summary) {
          stage.finish(summary);
          tell({ stage: name, finished: true });
        },
      };
    },
  };
}
