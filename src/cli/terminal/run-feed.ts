import type { Clock } from '../../lib/flow/clock.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { formatCount } from '../../report/format.ts';
import type { Progress } from './progress.ts';
import type { RunStage } from '../../viewer/shapes.ts';
import { createStage, type StageState } from './progress-stage.ts';

/** Progress that is drawn as before, and whose state can be read. */
export interface RunFeed extends Progress {
  /** In the order in which they began. */
  stages(): RunStage[];
}

interface Kept {
  readonly state: StageState;
  readonly startedMs: number;
  endedMs?: number;
  summary?: string;
}

/** A run has a handful of stages; a job that never ends keeps beginning new ones. */
const stagesMax = 50;

/** @param shown Draws it. */
export function createRunFeed(shown: Progress, clock: Pick<Clock, 'monotonic'>): RunFeed {
  const stages: Kept[] = [];
  return {
    ...shown,
    stage(name, options) {
      const drawn = shown.stage(name, options);
      const state = createStage(name, options ?? {}, { clock, color: false });
      const kept: Kept = { state, startedMs: clock.monotonic() };
      if (stages.push(kept) > stagesMax) stages.shift();
      return {
        update(update) {
          state.set(update);
          drawn.update(update);
        },
        finish(summary) {
          kept.endedMs ??= clock.monotonic();
          if (summary !== undefined) kept.summary = summary;
          drawn.finish(summary);
        },
      };
    },
    stages: () => stages.map(toRunStage),
  };
}

function toRunStage({ state, startedMs, endedMs, summary }: Kept): RunStage {
  const { name, done, total = null, rate, etaMs, waiting, note = null } = state.now();
  const shown = { name, done, total };
  if (endedMs !== undefined) {
    const ending = summary ?? `${formatCount(done)} in ${formatDuration(endedMs - startedMs)}`;
    return { ...shown, perSecond: null, etaMs: null, waiting: null, note: null, summary: ending };
  }
  const wait = waiting === undefined ? null : { reason: waiting.reason, ms: waiting.ms ?? null };
  return { ...shown, perSecond: rate, etaMs, waiting: wait, note, summary: null };
}
