import { readLockHolder } from '../lib/file-lock.ts';
import type { JobConfig, SyncConfig } from './sync-file.ts';
import type { JobCause, JobResult } from './job-result.ts';
import { scheduleOf, isBeyond, mayBegin, nextDue, scheduleKey } from './job.ts';
import { lastEndedRun, lastJobRun, nextRun, openJobStateToRead, type JobState } from './job-state.ts';

export interface JobOverview {
  readonly name: string;
  /** The run that goes on at this moment. */
  readonly running: { readonly number: number; readonly cause: JobCause; readonly sinceMs: number } | null;
  /** A run without an end: its process was killed. The next start continues it. */
  readonly cutOff: { readonly number: number; readonly sinceMs: number } | null;
  readonly last: JobResult | null;
  /** When the next one may begin; null without a schedule. */
  readonly nextAtMs: number | null;
}

export interface Overview {
  readonly process: { readonly pid: number; readonly host: string; readonly sinceMs: number } | null;
  readonly jobs: readonly JobOverview[];
}

/** Works while another process runs the jobs, and if none ever did. @throws StoreError */
export function readOverview({ jobs, sync }: SyncConfig, nowMs: number): Overview {
  const holder = readLockHolder(sync.state);
  const state = openJobStateToRead(sync.state);
  try {
    return {
      process: holder ? { pid: holder.pid, host: holder.host, sinceMs: holder.since } : null,
      jobs: jobs.map((config) => jobOverview(config, { state, heldSinceMs: holder?.since, nowMs })),
    };
  } finally {
    state?.close();
  }
}

interface Glance {
  readonly state: JobState | undefined;
  /** When the process began that runs the jobs, if one does. */
  readonly heldSinceMs: number | undefined;
  readonly nowMs: number;
}

function jobOverview(config: JobConfig, { state, heldSinceMs, nowMs }: Glance): JobOverview {
  const { name } = config;
  const latest = state && lastJobRun(state.db, name);
  const open = latest?.endedAtMs === null ? { number: latest.number, sinceMs: latest.startedAtMs } : null;
  // One that began before this process did is left of another.
  const isRunning = open !== null && heldSinceMs !== undefined && open.sinceMs >= heldSinceMs;
  return {
    name,
    running: isRunning ? { ...open, cause: latest!.cause } : null,
    cutOff: isRunning ? null : open,
    last: (state && lastEndedRun(state.db, name)?.result) ?? null,
    nextAtMs: nextAtMs(config, { state, nowMs, isRunning }),
  };
}

function nextAtMs(
  config: JobConfig,
  { state, nowMs, isRunning }: Pick<Glance, 'state' | 'nowMs'> & { readonly isRunning: boolean },
): number | null {
  const schedule = scheduleOf({ config });
  const known = state && nextRun(state.db, config.name);
  const isKnown = known?.schedule === scheduleKey(schedule) && !isBeyond(schedule, known.dueAtMs, nowMs);
  // A run that goes on is marked as cut until its end: it may be killed.
  if (isKnown && known.isCut && !isRunning) return mayBegin(schedule, nowMs, nowMs);
  const dueAtMs = isKnown ? known.dueAtMs : nextDue(schedule, nowMs, () => 0);
  return dueAtMs === null || dueAtMs === undefined ? null : mayBegin(schedule, dueAtMs, nowMs);
}
