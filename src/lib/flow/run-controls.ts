import type { Clock } from './clock.ts';
import type { Progress } from './progress.ts';

export interface RunControls {
  /** @internal Default: the system's. */
  readonly clock: Clock;
  /** @internal In [0, 1). Default: `Math.random`. */
  readonly random: () => number;
  /** Receives the progress. Default: none is reported. */
  readonly progress: Progress;
  /** Aborted: nothing new begins. Default: never. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut as well. Default: never. */
  readonly signal: AbortSignal;
}
