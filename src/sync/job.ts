import type { JobConfig } from './sync-file.ts';
import type { KeyPlaces } from '../config/api-key.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import type { ExportLocation } from './config/export-location.ts';
import { planningOf, targetOf } from '../commands/session.ts';
import type { JobSchedule } from './schedule.ts';
import type { JobState } from './job-state.ts';
import type { RunControls, Complete, ImportRequest } from '../commands/requests.ts';

/** Keys that a run adds to a job's request: clock, progress and when to stop. */
type OfRun = keyof RunControls | 'confirm' | 'importRate';
export type JobRequest = Omit<ImportRequest, OfRun | 'from'> & Required<Pick<ImportRequest, 'mapping'>>;

/** The request of one run; what it reads is decided later. */
export type RunRequest = Complete<JobRequest>;

/** Environment in which jobs run. */
export interface SyncControls extends RunControls {
  readonly state: JobState;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A job as it is run. */
export interface Job {
  readonly config: JobConfig;
  /** Reads mapping and key again, so correcting one of them requires no restart. @throws UsageError */
  request(): Promise<JobRequest>;
}

export const scheduleOf = ({
  config: { schedule, timeZone, jitter, hours },
}: {
  readonly config: JobConfig;
}): JobSchedule => ({
  cron: schedule,
  timeZone,
  jitterMs: jitter,
  hours,
});

/** `chatferry-support.db` → `chatferry-support.downloads`. */
export const downloadsOf = (store: string): string => `${store.replace(/\.db$/, '')}.downloads`;

/** Returns the folders whose content belongs to the export: neither a mapping nor a module is taken from them. */
function foldersOf(location: ExportLocation): readonly string[] {
  if ('path' in location) return location.path.filter((path) => !isServerAddress(path));
  return 'dropFolder' in location ? [location.dropFolder] : [];
}

/** A job of the configuration, as it is run in this process. */
export const jobOf = (config: JobConfig): Job => jobFor({ env: process.env }, config);

/** Makes a job of the configuration; `keys` names where its keys are. */
export const jobFor = (keys: KeyPlaces, config: JobConfig): Job => ({
  config,
  async request() {
    const { options } = config;
    const { from: _, mapping, ...planning } = await planningOf(options, [], foldersOf(config.export));
    return {
      ...targetOf(options, options.to ?? 'sandbox', keys),
      ...planning,
      mapping: { ...mapping, media: config.media ?? mapping.media },
      env: keys.env,
      actions: options.actions,
      outOfOrder: options.outOfOrder,
      sendProfiles: options.sendProfiles,
      maxFailureShare: options.maxFailures,
      trackUsers: options.trackUsers,
      verify: options.verify,
    };
  },
});
