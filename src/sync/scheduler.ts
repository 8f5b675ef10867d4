import { setMaxListeners } from 'node:events';
import type { JobCause } from './job-result.ts';
import { beatUntil, executeRun, waitPiece } from './run/execute-run.ts';
import type { SyncContext } from './run-job.ts';
import { type Job, scheduleOf, isBeyond, isMadeUp, mayBegin, nextDue, scheduleKey } from './job.ts';
import { nextRun, saveDue } from './job-state.ts';

/**
 * Runs jobs on their schedules until it is asked to stop, and until every run has stopped then.
 *
 * Each job has a loop of its own, so that it never overlaps itself: wait, run, and again. When a run begins, the time
 * of the next one is saved in the state. Runs may fall due while none can start: during a long run, while the machine
 * sleeps or no process runs, or outside the allowed hours. One run makes up for all of them. A run that was stopped or
 * killed before its end continues as soon as it may.
 */
export async function runScheduler(jobs: readonly Job[], given: SyncContext): Promise<void> {
  const { clock, listener } = given;
  const failing = new AbortController();
  const stopping = AbortSignal.any([given.stopping, failing.signal]);
  const context = { ...given, stopping };
  // Two for each job, and one for the beat.
  setMaxListeners(jobs.length * 2 + 10, stopping);
  listener.started?.(jobs.map(({ config }) => config.name));
  const beating = beatUntil(stopping, clock, (atMs) => listener.beat?.(atMs));
  stopping.addEventListener('abort', () => listener.stopping?.(String((stopping.reason as Error).message)), {
    once: true,
  });
  const loops = jobs.map((job) =>
    loop(job, context).catch((error) => {
      // The state can no longer be written: running jobs stop gracefully, because their results would not be saved.
      failing.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(loops);
  // A scheduler whose jobs have no further run ends by itself.
  failing.abort(new Error('no further run'));
  await beating;
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function loop(job: Job, context: SyncContext): Promise<void> {
  while (!context.stopping.aborted) {
    const cause = await waitForRun(job, context);
    if (cause === undefined) return;
    await executeRun(job, cause, context);
  }
}

/** @returns Why the run begins that begins now; nothing once there is none any more. */
async function waitForRun(job: Job, context: SyncContext): Promise<JobCause | undefined> {
  const { clock, stopping, listener } = context;
  const schedule = scheduleOf(job);
  let notifiedMs: number | null | undefined;
  const notify = (atMs: number | null) => {
    if (atMs !== notifiedMs) listener.scheduled?.(job.config.name, atMs);
    notifiedMs = atMs;
  };
  // Checked again every half minute: the machine may have slept past the end of the hours, or its clock was set.
  while (!stopping.aborted) {
    const nowMs = clock.now();
    const { dueAtMs, isCut } = planNextRun(job, context);
    if (dueAtMs === undefined && !isCut) {
      notify(null);
      return undefined;
    }
    const wantedAtMs = isCut ? nowMs : dueAtMs!;
    const atMs = mayBegin(schedule, wantedAtMs, nowMs);
    if (notifiedMs === undefined || atMs > nowMs) notify(atMs);
    if (atMs <= nowMs) {
      if (isCut) return 'resumed';
      return isMadeUp(schedule, wantedAtMs, nowMs) ? 'made-up' : 'schedule';
    }
    await waitPiece(atMs, clock, stopping).catch(() => {});
  }
  return undefined;
}

/**
 * Returns the next run as the last run left it. Calculates it again for a new job, and if the schedule was changed or a
 * wrong clock corrected.
 */
function planNextRun(job: Job, { state, clock, random }: SyncContext): { dueAtMs: number | undefined; isCut: boolean } {
  const { name } = job.config;
  const schedule = scheduleOf(job);
  const known = nextRun(state.db, name);
  const isKnown = known?.schedule === scheduleKey(schedule) && !isBeyond(schedule, known.dueAtMs, clock.now());
  if (isKnown) return { dueAtMs: known.dueAtMs ?? undefined, isCut: known.isCut };
  const dueAtMs = nextDue(schedule, clock.now(), random);
  saveDue(state.db, name, scheduleKey(schedule), dueAtMs);
  return { dueAtMs, isCut: known?.isCut ?? false };
}
