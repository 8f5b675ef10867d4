import type { RunControls } from '../commands/requests.ts';
import { withDefaults } from '../commands/session.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { JobResult, SyncListener } from './job-result.ts';
import { jobFor } from './job.ts';
import { openJobState } from './job-state.ts';
import { notifyAll, runOnce } from './operate.ts';
import { runJob } from './run-job.ts';
import { runScheduler } from './scheduler.ts';
import { loadSyncFile } from './sync-file.ts';

export interface JobsRequest extends Partial<RunControls> {
  /** Path of the configuration. Default: `chatferry.yaml` of the working folder, if you trust it. */
  readonly configPath?: string | undefined;
  /** Each job once, one after the other. Default: no, all on their schedules until `stopping` is aborted. */
  readonly isOnce?: boolean | undefined;
  /** For options and keys that variables give. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly listener?: SyncListener | undefined;
  /** Gets internal errors, after which the other jobs go on. Default: they are dropped; the run's result says that there was one. */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** Called for a job that may not run at this hour, with the time (ms) at which it may. */
  readonly onClosed?: ((job: string, opensAtMs: number) => void) | undefined;
  /** @internal One run of a job. */
  readonly run?: typeof runJob | undefined;
}

/**
 * Runs the jobs of a configuration as `chatferry sync` does. No job overlaps itself, and a failing one keeps no other back.
 *
 * @returns The results of all runs, in the order in which they ended.
 * @throws UsageError naming everything that is wrong in the file; StoreError if another process runs these jobs, or the state cannot be written.
 */
export async function runJobs(request: JobsRequest = {}): Promise<readonly JobResult[]> {
  const {
    configPath,
    env = process.env,
    listener = {},
    onFault = () => {},
    onClosed = () => {},
    run = runJob,
  } = request;
  const { jobs: configs, sync } = loadSyncFile({ configPath, flags: {}, env });
  const jobs = configs.map((config) => jobFor({ env }, config));
  const controls = withDefaults({ ...request, store: sync.state });
  const state = openJobState(sync.state, controls.clock.now());
  const results: JobResult[] = [];
  try {
    const context = {
      ...{ ...controls, state, env, run, onFault },
      listener: notifyAll([listener, { runEnded: (result) => void results.push(result) }]),
      stopExit: () => exitCodes.terminated,
    };
    if (request.isOnce) await runOnce(jobs, { ...context, onClosed });
    else await runScheduler(jobs, context);
    return results;
  } finally {
    state.close();
  }
}
