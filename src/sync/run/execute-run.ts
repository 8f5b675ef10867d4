import type { Clock } from '../../lib/flow/clock.ts';
import type { JobRunName, Progress } from '../../lib/flow/progress.ts';
import { type JobCause, type JobResult, RunStop, runIdOf } from '../job-result.ts';
import { removeOldReports } from './job-report.ts';
import { type Job, scheduleOf, nextClosing, nextDue, scheduleKey } from '../job.ts';
import type { SyncContext } from '../run-job.ts';
import { recordRunStart, endRun } from '../job-state.ts';

/** Time that requests in flight get at the end of the allowed hours before they are cut. */
const finishMs = 30_000;

/**
 * One run of a job and everything around it: its number, the time at which the next one is due, its end with the hours, what
 * is remembered of it, and who is notified.
 */
export async function executeRun(job: Job, cause: JobCause, context: SyncContext): Promise<JobResult> {
  const { state, clock, random, listener } = context;
  const { name } = job.config;
  const schedule = scheduleOf(job);
  const startedAtMs = clock.now();
  const number = recordRunStart(state.db, name, {
    cause,
    nowMs: startedAtMs,
    schedule: scheduleKey(schedule),
    dueAtMs: nextDue(schedule, startedAtMs, random),
  });
  listener.runStarted?.(name, { number, startedAtMs, cause });
  const stop = watchForStop(job, context);
  try {
    const { result, isCut } = await context.run(job, {
      number,
      startedAtMs,
      ...context,
      stopping: stop.stopping,
      signal: stop.signal,
      progress: jobProgress(context.progress, { job: name, run: runIdOf({ job: name, number }) }, clock, (line) =>
        listener.runProgress?.(name, number, line),
      ),
    });
    endRun(state.db, result, isCut);
    await removeOldReports(state, job, clock.now());
    listener.runEnded?.(result);
    return result;
  } finally {
    await stop.close();
  }
}

/** When this run ends before its end: with the process, or with the hours in which the job may run. */
function watchForStop(job: Job, { clock, stopping, signal, stopExit }: SyncContext) {
  const own = new AbortController();
  const cutting = new AbortController();
  const over = new AbortController();
  const onStop = () => own.abort(RunStop.byUser(stopExit()));
  if (stopping.aborted) onStop();
  stopping.addEventListener('abort', onStop, { once: true });
  const closesAtMs = nextClosing(scheduleOf(job), clock.now());
  const watchHours = async () => {
    if (closesAtMs === undefined) return;
    await waitUntil(closesAtMs, clock, over.signal);
    own.abort(RunStop.byHours());
    await clock.sleep(finishMs, over.signal);
    cutting.abort(RunStop.byHours());
  };
  const watching = watchHours().catch(() => {});
  return {
    stopping: own.signal,
    signal: AbortSignal.any([signal, cutting.signal]),
    async close() {
      stopping.removeEventListener('abort', onStop);
      over.abort();
      await watching;
    },
  };
}

/** Timers do not run while a machine sleeps: who wakes in between sees by the wall clock that it is late. */
const pieceMs = 30_000;

/** Resolves when the wall clock shows this instant, or a later one; rejects with the signal's reason. */
async function waitUntil(atMs: number, clock: Pick<Clock, 'now' | 'sleep'>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  while (clock.now() < atMs) await waitPiece(atMs, clock, signal);
}

/** Waits for an instant, but only so long that the wall clock is to be looked at again; rejects with the signal's reason. */
export const waitPiece = (atMs: number, clock: Pick<Clock, 'now' | 'sleep'>, signal: AbortSignal): Promise<void> =>
  clock.sleep(Math.min(atMs - clock.now(), pieceMs), signal);

/** Signals every 30 s that the process is alive, until it is asked to stop. */
export async function beatUntil(stopping: AbortSignal, clock: Clock, beat: (atMs: number) => void): Promise<void> {
  while (!stopping.aborted) {
    beat(clock.now());
    await clock.sleep(pieceMs, stopping).catch(() => {});
  }
}

/** Notifies a listener of counts and reasons, never of content. */
type Notify = (line: Readonly<Record<string, unknown>>) => void;

/** A line of the same stage a second at most. */
const intervalMs = 1000;

/** Returns the progress of one job among several: every stage carries the job's name, and the listener is notified of it as well. */
function jobProgress(progress: Progress, of: JobRunName, clock: Pick<Clock, 'monotonic'>, notify: Notify): Progress {
  return {
    ...(progress.unforeseen && { unforeseen: (fault) => progress.unforeseen?.({ ...fault, of }) }),
    stage(name, options) {
      const stage = progress.stage(name, { ...options, of });
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
