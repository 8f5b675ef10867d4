import type { Clock } from '../../lib/flow/clock.ts';
import type { Progress } from '../../lib/flow/progress.ts';
import type { TurnProgress } from '../database/units.ts';

/** So often at most, in ms: whoever looks from afar sees no more. */
const intervalMs = 1_000;

/** Tells the worker what its turn is at. */
export function toldProgress(clock: Pick<Clock, 'monotonic'>, tell: (progress: TurnProgress) => void): Progress {
  let sent: TurnProgress['sent'];
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (progress: TurnProgress, isNew: boolean) => {
    if (!isNew && clock.monotonic() - toldMs < intervalMs) return;
    toldMs = clock.monotonic();
    tell({ ...progress, ...(sent && { sent }) });
  };
  return {
    stage(name, { total: first } = {}) {
      let total = first;
      say({ stage: name, done: 0, total }, true);
      return {
        update({ done, total: now = total, waiting }) {
          total = now;
          if (name === 'Sending' && total !== undefined) sent = { done, total };
          say({ stage: name, done, total, ...(waiting !== undefined && { waiting: ownWords(waiting) }) }, false);
        },
        finish() {},
      };
    },
  };
}

/** Behind a colon, or in brackets, stands what a destination said: it may repeat a message. */
const ownWords = (waiting: string): string => waiting.split(/: | \(/)[0]!;
