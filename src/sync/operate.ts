import { errorCode } from '../io/input/file-errors.ts';
import { sha256Base32 } from '../lib/hash.ts';
import type { ListenOptions, LogOptions } from './shared-settings.ts';
import type { WebhookOptions } from './config/webhook.ts';
import type { WebhookDeps } from './serve/webhook.ts';
import type { JobResult, SyncListener } from './job-result.ts';
import { executeRun } from './run/execute-run.ts';
import { type SyncContext, runJob } from './run-job.ts';
import { type Job, scheduleOf, isOpen, nextOpening, jobFor } from './job.ts';
import { type LogDeps, openLog, type SyncLog } from './serve/log.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { withDefaults } from '../commands/session.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { openJobState } from './job-state.ts';
import { runScheduler } from './scheduler.ts';
import { loadSyncFile } from './sync-file.ts';

/** `sync.listen`, `sync.webhook` and `sync.log` of the configuration. Each is present only if it is wanted. */
export interface OperatorsConfig {
  readonly listen?: ListenOptions | undefined;
  readonly webhook?: WebhookOptions | undefined;
  readonly log?: LogOptions | undefined;
}

export interface OperatorsDeps extends Omit<WebhookDeps, 'log'> {
  readonly stderr?: LogDeps['stderr'];
}

/** Everybody who watches, as one listener. */
export interface Operators {
  readonly listener: SyncListener;
  /** `http://127.0.0.1:9464`, where something listens. */
  readonly url: string | undefined;
  readonly log: SyncLog | undefined;
}

/**
 * Opens log, port and webhook. Notify `listener` of everything from `started` on; its `close` ends all of them, the log
 * last.
 *
 * @throws UsageError if the log, the port, the webhook's address or its secret cannot be used.
 */
export async function openOperators(config: OperatorsConfig, deps: OperatorsDeps): Promise<Operators> {
  const secrets = [...deps.secrets];
  const processId = sha256Base32(`${process.pid} ${deps.clock.now()} ${deps.random()}`, 8);
  const log =
    config.log &&
    openLog(config.log, { clock: deps.clock, processId, secrets, ...(deps.stderr && { stderr: deps.stderr }) });
  const opened: SyncListener[] = [];
  try {
    const watch = config.listen && (await openListening(config.listen, deps, log));
    if (watch) opened.push(...watch.listeners);
    if (config.webhook) {
      const { openWebhook } = await import('./serve/webhook.ts');
      opened.push(await openWebhook(config.webhook, { ...deps, log }));
    }
    return { listener: notifyAll(log ? [...opened, log] : opened), url: watch?.url, log };
  } catch (error) {
    await notifyAll(log ? [...opened, log] : opened).close?.();
    throw error;
  }
}

async function openListening(options: ListenOptions, { clock, past }: OperatorsDeps, log: SyncLog | undefined) {
  // An HTTP server and prom-client are 20 MB that other configurations do without.
  const [{ createMetrics }, { watchHealth }, { serveOperators }] = await Promise.all([
    import('./serve/metrics.ts'),
    import('./listen.ts'),
    import('./listen.ts'),
  ]);
  const metrics = createMetrics(clock, past);
  const health = watchHealth(clock);
  const onFault = (fault: unknown) =>
    log?.warn('listen: a request failed', { fault: errorCode(fault) ?? (fault as Error).name });
  const server = await serveOperators(options, { metrics, health, onFault });
  log?.info('listening', { url: server.url });
  if (options.allowRemote) log?.warn('listen: other machines may read job names and counts', { url: server.url });
  return { url: server.url, listeners: [metrics, health, { close: () => server.close() }] };
}

/** One listener that notifies all of them, in order, and closes them one after the other, once. */
export function notifyAll(listeners: readonly SyncListener[]): SyncListener {
  const each = (notify: (one: SyncListener) => void) => {
    for (const one of listeners) notify(one);
  };
  const closeAll = async () => {
    for (const one of listeners) await one.close?.();
  };
  let closed: Promise<void> | undefined;
  return {
    started: (jobs) => each((one) => one.started?.(jobs)),
    scheduled: (job, atMs) => each((one) => one.scheduled?.(job, atMs)),
    runStarted: (job, run) => each((one) => one.runStarted?.(job, run)),
    runProgress: (job, number, line) => each((one) => one.runProgress?.(job, number, line)),
    runEnded: (result) => each((one) => one.runEnded?.(result)),
    beat: (atMs) => each((one) => one.beat?.(atMs)),
    stopping: (cause) => each((one) => one.stopping?.(cause)),
    close: () => (closed ??= closeAll()),
  };
}

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

export interface JobsRequest extends Partial<RunControls> {
  /** Path of the configuration. Default: `chatferry.yaml` of the working folder, if you trust it. */
  readonly configPath?: string | undefined;
  /** Each job once, one after the other. Default: no, all on their schedules until `stopping` is aborted. */
  readonly isOnce?: boolean | undefined;
  /** For options and keys that variables give. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly listener?: SyncListener | undefined;
  /** Gets internal errors, after which the other jobs go on. Default: dropped; the run's result says that there was one. */
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
