import { errorCode } from '../io/input/file-errors.ts';
import { sha256Base32 } from '../lib/hash.ts';
import type { ListenOptions, LogOptions } from './shared-settings.ts';
import type { WebhookOptions } from './config/webhook.ts';
import type { WebhookDeps } from './serve/webhook.ts';
import type { JobResult, SyncListener } from './job-result.ts';
import { executeRun } from './run/execute-run.ts';
import type { SyncContext } from './run-job.ts';
import { type Job, scheduleOf, isOpen, nextOpening } from './job.ts';
import { type LogDeps, openLog, type SyncLog } from './serve/log.ts';

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
