import type { JobResult } from './events.ts';
import { executeRun, type SyncContext } from './execute-run.ts';
import { isOpen, nextOpening } from './hours.ts';
import { type Job, scheduleOf } from './job.ts';

export interface OnceContext extends SyncContext {
  /** A job that may not run at this hour. */
  readonly onClosed: (job: string, opensAtMs: number) => void;
}

/** Every job once, one after the other; a failing one does not keep the others back. @returns What each came to. */
export async function runOnce(jobs: readonly Job[], context: OnceContext): Promise<readonly JobResult[]> {
  const { stopping, clock, listener, onClosed } = context;
  const results: JobResult[] = [];
  listener.started?.(jobs.map(({ config }) => config.name));
  for (const job of jobs) {
    const nowMs = clock.now();
    const schedule = scheduleOf(job);
    if (stopping.aborted) break;
    if (isOpen(schedule, nowMs)) results.push(await executeRun(job, 'once', context));
    else onClosed(job.config.name, nextOpening(schedule, nowMs));
  }
  return results;
}
