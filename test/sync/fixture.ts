import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Job, jobFor } from '../../src/sync/job.ts';
import { loadSyncFile } from '../../src/sync/sync-file.ts';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import type { SyncListener } from '../../src/sync/job-result.ts';
import type { SyncContext } from '../../src/sync/run-job.ts';
import { runJob } from '../../src/sync/run-job.ts';
import { type JobState, openJobState } from '../../src/sync/job-state.ts';
import { never } from '../scenes/bench.ts';

/** Jobs of a `chatferry.yaml`; stores and reports are in the folder. */
export function jobsOf(folder: string, yaml: string, env: Readonly<Record<string, string>> = {}): readonly Job[] {
  const path = join(folder, 'chatferry.yaml');
  writeFileSync(path, yaml);
  return loadSyncFile({ flags: {}, env, configPath: path }).jobs.map((config) => {
    const { store, report } = config.options;
    return jobFor(
      { env: process.env },
      {
        ...config,
        options: { ...config.options, store: join(folder, store), report: join(folder, report ?? 'reports') },
      },
    );
  });
}

export interface SyncScene {
  readonly state: JobState;
  readonly context: SyncContext;
  /** Asks everything to stop, as SIGTERM does. */
  stop(): void;
}

/** The state is `jobs.db` in the folder, closed with the test. */
export function syncScene(
  folder: string,
  changes: Partial<Omit<SyncContext, 'clock'>> & { readonly clock?: Clock; readonly listener?: SyncListener } = {},
): SyncScene {
  const clock = changes.clock ?? systemClock;
  const state = openJobState(join(folder, 'jobs.db'), clock.now());
  onTestFinished(() => state.close());
  const stopping = new AbortController();
  const context: SyncContext = {
    state,
    clock,
    random: () => 0,
    progress: silent,
    env: process.env,
    listener: {},
    stopping: stopping.signal,
    signal: never,
    stopExit: () => 143,
    run: runJob,
    onFault: (error) => {
      throw error;
    },
    ...changes,
  };
  return { state, context, stop: () => stopping.abort(new Error('stopped by SIGTERM')) };
}
