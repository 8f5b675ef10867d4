import type { JobConfig } from './config/sync-file.ts';
import type { ImportRequest } from '../commands/session.ts';
import type { JobSchedule } from './schedule.ts';

/** What a run adds to a job's request: clock, progress and when to stop. */
type OfRun = 'clock' | 'random' | 'progress' | 'stopping' | 'signal' | 'confirm' | 'importRate';
export type JobRequest = Omit<ImportRequest, OfRun | 'exports'>;

/** A job as it is run. */
export interface Job {
  readonly config: JobConfig;
  /** Reads mapping and key anew: who corrects one of them need not start everything again. @throws UsageError */
  request(): Promise<JobRequest>;
}

export const scheduleOf = ({ config: { schedule, timeZone, jitter, hours } }: Pick<Job, 'config'>): JobSchedule => ({
  cron: schedule,
  timeZone,
  jitterMs: jitter,
  hours,
});

/** `chatferry-support.db` → `chatferry-support.downloads`. */
export const downloadsOf = (store: string): string => `${store.replace(/\.db$/, '')}.downloads`;
