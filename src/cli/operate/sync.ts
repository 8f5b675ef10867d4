import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { silent } from '../../lib/flow/progress.ts';
import type { Secret } from '../../lib/secret.ts';
import { faultWords, toKnownError, toStoreError } from '../../lib/sqlite.ts';
import { sourceNamed } from '../../plan/choose-source.ts';
import { exitCodes, errorExitCode, worstExit } from '../../model/exit-codes.ts';
import { formatUtc } from '../../report/format.ts';
import { logSchema } from '../../sync/shared-settings.ts';
import { type JobConfig, loadSyncFile, type SyncConfig } from '../../sync/sync-file.ts';
import type { JobResult, SyncListener } from '../../sync/job-result.ts';
import { type Job, jobFor } from '../../sync/job.ts';
import { checkLocation, runJob, type SyncContext } from '../../sync/run-job.ts';
import { openOperators, runOnce, notifyAll } from '../../sync/operate.ts';
import { runScheduler } from '../../sync/scheduler.ts';
import { type JobState, openJobState, jobPast } from '../../sync/job-state.ts';
import { addressOf, checkTarget } from '../../delivery/target.ts';
import { normaliseBaseUrl } from '../../service/profiles.ts';
import { rememberAddress } from '../known-address.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { withDefaults } from '../../commands/session.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { describeRun } from '../terminal/describe-run.ts';
import { print } from '../terminal/print.ts';
import { docsLink } from '../../lib/docs-link.ts';

export function addSync(program: Command, host: Host): void {
  const command = program
    .command('sync')
    .description(
      `Runs the jobs of chatferry.yaml on their schedules until it is stopped: ${docsLink('guides/sync')}. Asks nothing: that a job is written ` +
        `there, with a destination, in a file that --config names or that you trust, is the consent to send; ${docsLink('understand/security')}.`,
    )
    .option('--once', 'Run every job once, one after the other, and end: for cron, systemd timers and CronJobs')
    .option('--job <NAME>', 'Only this job');
  addOptions(command, ['json', 'quiet', 'progress']);
  addAction(command, host, async (options, around) => {
    const flags = command.opts<{ config?: string; once?: boolean; job?: string }>();
    let isForPrograms = isUnderJournal(host);
    try {
      const config = loadSyncFile({ flags: {}, env: host.env, configPath: flags.config });
      isForPrograms ||= saysJson(config, host);
      if (isForPrograms) around.mute();
      const jobs = chosenJobs(config, flags.job).map((config) => jobFor(host, config));
      if (!flags.once) assertScheduled(jobs);
      const secrets = await checkJobs(jobs, around);
      rememberAddresses(jobs);
      const state = openJobState(config.sync.state, around.clock.now());
      try {
        const isOnce = flags.once === true;
        return await sync(jobs, { config, state, options, around, secrets, isOnce, isForPrograms });
      } finally {
        state.close();
      }
    } catch (error) {
      if (!isForPrograms) throw error;
      return tellProgram(error, host);
    }
  });
}

/** Whether systemd's journal reads along. A terminal that a service of systemd started has its variable too. */
const isUnderJournal = ({ env, stderr }: Host): boolean => env.JOURNAL_STREAM !== undefined && stderr.isTTY !== true;

/** Whether a log replaces the text that people read; on a terminal, the user gets both if the log is a file. */
const saysJson = ({ sync: { log } }: SyncConfig, { stdout }: Host): boolean =>
  log !== undefined && (log.file === undefined || stdout.isTTY !== true);

/** Why nothing goes on, in the form of the log. @returns The exit code. */
function tellProgram(error: unknown, { stderr, clock }: Host): number {
  const known = toKnownError(error, 'the disk');
  const msg = oneLine(known ? known.message : faultWords(error));
  const time = new Date(clock.now()).toISOString();
  const hint = known?.hint === undefined ? {} : { hint: oneLine(known.hint) };
  stderr.write(`${JSON.stringify({ level: known ? 'error' : 'fatal', time, msg, ...hint })}\n`);
  return known ? errorExitCode(known) : exitCodes.fault;
}

function chosenJobs({ jobs }: SyncConfig, name: string | undefined): readonly JobConfig[] {
  const chosen = jobs.filter((job) => name === undefined || job.name === name);
  if (chosen.length > 0) return chosen;
  throw new UsageError(`Cannot run job "${name}": there is no such job`, {
    hint: `Jobs: ${jobs.map((job) => job.name).join(', ')}`,
  });
}

function assertScheduled(jobs: readonly Job[]): void {
  const without = jobs.find(({ config }) => config.schedule === undefined)?.config;
  if (!without) return;
  throw new UsageError(`Cannot run job "${without.name}" on a schedule: it has none (${without.place})`, {
    hint: 'Give it one, such as schedule: "0 * * * *", or pass --once',
  });
}

interface Work {
  readonly config: SyncConfig;
  readonly state: JobState;
  readonly options: Options;
  readonly around: CommandContext;
  readonly secrets: readonly Secret[];
  readonly isOnce: boolean;
  /** Standard output and standard error carry lines of JSON, and nothing else. */
  readonly isForPrograms: boolean;
}

async function sync(jobs: readonly Job[], work: Work): Promise<number> {
  const { config, state, options, around, secrets, isOnce, isForPrograms } = work;
  const { host, clock, random, stopping, signal } = around;
  const names = jobs.map((job) => job.config.name);
  const past = names.flatMap((name) => jobPast(state.db, name) ?? []);
  const log = config.sync.log ?? (isForPrograms ? logSchema.parse({}) : undefined);
  const operators = await openOperators(
    { ...config.sync, log },
    {
      stderr: host.stderr,
      clock,
      random,
      env: host.env,
      past,
      secrets,
    },
  );
  const last = new Map<string, JobResult>();
  const isSilent = options.json || options.quiet || isForPrograms;
  const listener = notifyAll([resultPrinter(host, isSilent, last), operators.listener]);
  const context: SyncContext = {
    state,
    clock,
    random,
    listener,
    stopping,
    signal,
    env: host.env,
    run: runJob,
    progress: isForPrograms && options.progress !== 'json' ? silent : around.progress,
    stopExit: () => (around.stoppedBy() === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated),
    onFault: (error) =>
      isForPrograms ? void tellProgram(error, host) : void host.stderr.write(`${faultWords(error)}\n`),
  };
  const onClosed = (job: string, opensAtMs: number) => {
    operators.log?.info('not run, outside its hours', { job, next: new Date(opensAtMs).toISOString() });
    if (!isSilent) print(host, `${job}: not run, outside its hours; they begin ${formatUtc(opensAtMs)}`);
  };
  try {
    if (isOnce) await runOnce(jobs, { ...context, onClosed });
    else await runScheduler(jobs, context);
  } catch (error) {
    // A run handles the faults of its own store; here it is the state that cannot be written.
    throw toStoreError(error, state.path) ?? error;
  } finally {
    await listener.close?.();
  }
  const results = [...last.values()];
  const exit = worstExit([...results.map((result) => result.exit), ...(stopping.aborted ? [context.stopExit()] : [])]);
  if (options.json) print(host, JSON.stringify({ command: 'sync', jobs: results, exit }));
  return exit;
}

/** A line for every run that ends, and for what comes next. */
function resultPrinter(host: Host, isSilent: boolean, last: Map<string, JobResult>): SyncListener {
  const say = (line: string) => (isSilent ? undefined : print(host, line));
  return {
    scheduled: (job, atMs) => say(atMs === null ? `${job}: no further run` : `${job}: next run ${formatUtc(atMs)}`),
    runEnded(result) {
      last.set(result.job, result);
      say(describeRun(result));
    },
  };
}

/** Checks mapping, source, keys and addresses now, and not at night. @returns Every secret. @throws UsageError */
async function checkJobs(jobs: readonly Job[], { host, clock }: CommandContext): Promise<readonly Secret[]> {
  const keys: Secret[] = [];
  for (const job of jobs) {
    try {
      const request = await job.request();
      if (request.source !== undefined) sourceNamed(request.source);
      const { apiKey, ...target } = withDefaults({ ...request, clock });
      checkTarget({ ...target, apiKey });
      if (apiKey) keys.push(apiKey);
      keys.push(...checkLocation(job.config.export, host.env));
    } catch (error) {
      throw error instanceof UsageError ? ofJob(error, job) : error;
    }
  }
  return keys;
}

/** No one is asked while jobs run: naming or trusting a file is the consent, and jobs of any other file stay on this machine. */
function rememberAddresses(jobs: readonly Job[]): void {
  for (const {
    config: { export: location, options },
  } of jobs) {
    if (options.to !== 'sandbox') rememberAddress(addressOf({ ...options, to: options.to ?? '' }));
    if ('fetch' in location) rememberAddress(normaliseBaseUrl(location.fetch.from));
  }
}

const ofJob = (error: UsageError, { config: { name, place } }: Job) =>
  new UsageError(`${error.message} (job "${name}" at ${place})`, {
    ...(error.hint !== undefined && { hint: error.hint }),
    cause: error,
  });
