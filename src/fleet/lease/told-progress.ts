import type { Clock } from '../../lib/flow/clock.ts';
import type { Progress } from '../../lib/flow/progress.ts';
import type { Totals } from '../../model/totals.ts';
import type { SentMessages, LeaseProgress } from '../database/units.ts';

/** Minimum interval between reports, in ms: a remote viewer sees no more. */
const intervalMs = 1_000;

export interface ToldProgressOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly tell: (progress: LeaseProgress) => void;
  /** The current totals. Asked for each time that sending begins: adding up a million messages takes seconds. */
  readonly totals: () => Totals;
}

/** Reports the progress of a lease to its worker. */
export function toldProgress({ clock, tell, totals }: ToldProgressOptions): Progress {
  let sent: SentMessages | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (progress: LeaseProgress, isNew: boolean) => {
    if (!isNew && clock.monotonic() - toldMs < intervalMs) return;
    toldMs = clock.monotonic();
    tell({ ...progress, ...(sent && { sent }) });
  };
  return {
    stage(name, { total: first } = {}) {
      let total = first;
      const before = name === 'Sending' ? totals() : undefined;
      if (before) sent = sentSince(before, 0, 0);
      say({ stage: name, done: 0, total }, true);
      return {
        update({ done, total: now = total, failed = 0, waiting }) {
          total = now;
          if (before) sent = sentSince(before, done, failed);
          say({ stage: name, done, total, ...(waiting !== undefined && { waiting: ownWords(waiting) }) }, false);
        },
        finish() {},
      };
    },
  };
}

/** Messages that tell of changes are sent as well, and are not counted in the totals: so more may be done than remained. */
function sentSince(before: Totals, done: number, failedCount: number): SentMessages {
  const { planned, existing, pending, unconfirmed } = before;
  const answered = Math.min(done, pending + unconfirmed);
  const failed = Math.min(failedCount, answered);
  const imported = before.imported + answered - failed;
  return { planned, imported, existing, failed: before.failed + failed, remaining: pending + unconfirmed - answered };
}

/** Returns the text before a colon or bracket. The text after it comes from a destination and may repeat a message. */
const ownWords = (waiting: string): string => waiting.split(/: | \(/)[0]!;
