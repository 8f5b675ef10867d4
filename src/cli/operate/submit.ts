import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FleetConfig } from '../../fleet/fleet-config.ts';
import type { Submitted, SubmittedJob } from '../../fleet/submit.ts';
import { isServerAddress } from '../../io/input/server-input.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { toVariable } from '../../config/load-options.ts';
import { submittedNames } from '../../config/options.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { addAction } from '../command-context.ts';
import { print } from '../terminal/print.ts';
import { addPlace, embeddedFlag } from './fleet-place.ts';

interface SubmitFlags {
  readonly config?: string;
  readonly tenant?: string;
  readonly name?: string;
  readonly embedded?: string;
}

export function addSubmit(program: Command, host: Host): void {
  const command = program
    .command('submit [EXPORT...]')
    .description(
      'Hands an export to a fleet, or every job of a configuration: workers migrate them. Handed in again with other settings, a unit changes; ' +
        'jobs that are gone from the configuration are paused. Nothing is sent by this command. Asks nothing: it is the consent to send.',
    )
    .option('--tenant <NAME>', 'Tenant that owns the unit: a-z, 0-9 and - (default: fleet.tenant)')
    .option('--name <NAME>', 'Name of the unit (default: that of the export)');
  addPlace(command);
  addOptions(command, [...submittedNames, 'json', 'quiet']);
  addAction(command, host, async (options, around, exports: string[]) => {
    const flags = command.opts<SubmitFlags>();
    if (exports.length === 0 && flags.config === undefined) throw nothingNamed();
    const [{ loadFleet }, { openFleet }, { submitJob, pauseGone }, { checkTenant }, { hasWorkers }] = await Promise.all(
      [
        import('../../fleet/fleet-config.ts'),
        import('../../fleet/open-fleet.ts'),
        import('../../fleet/submit.ts'),
        import('../../fleet/unit-job.ts'),
        import('../../fleet/fleet-overview.ts'),
      ],
    );
    const config = loadFleet({ env: host.env, configPath: flags.config, embedded: flags.embedded });
    const tenant = checkTenant(flags.tenant ?? config.tenant ?? '');
    const jobs = exports.length > 0 ? [await buildJob(exports, command, host)] : await readJobs(flags, host);
    warnOfMissing(jobs, host);
    const fleet = await openFleet(config, { env: host.env, works: false, makes: false });
    try {
      const submitted: Submitted[] = [];
      for (const job of jobs) {
        const given = { tenant, env: host.env, nowMs: around.clock.now(), random: around.random };
        submitted.push(await submitJob(fleet.database, fleet.engine, job, given));
      }
      const names = jobs.map(({ config: { name } }) => name);
      const paused = exports.length > 0 ? [] : await pauseGone(fleet.database, fleet.engine, tenant, names);
      const isWorked = await hasWorkers(fleet.database.query, config.heartbeat);
      return say(host, config, { submitted, paused, isWorked, isJson: options.json });
    } finally {
      await fleet.close();
    }
  });
}

/**
 * Returns the job as if it were written in a file: a worker reads it as such. Its options are those of an import, from
 * the same sources: flags, variables, and the top of the configuration.
 */
async function buildJob(exports: readonly string[], command: Command, host: Host): Promise<SubmittedJob> {
  const [{ checkName, jobFromKeys, readTopOptions: topOf }, { nameFromExport: nameOfExport }] = await Promise.all([
    import('../../fleet/unit-job.ts'),
    import('../../fleet/submit.ts'),
  ]);
  const { config, name } = command.opts<SubmitFlags>();
  const { jobs: _, ...top } = topOf(config, exports);
  const given = givenOptions(command, host);
  if (!['to', 'appId'].some((key) => key in given || key in top)) throw noDestination();
  const job = {
    name: name === undefined ? nameOfExport(exports[0]!) : checkName(name),
    export: { path: exports.map((path) => (isServerAddress(path) ? path : resolve(path))) },
    ...given,
  };
  return jobFromKeys({ job, top, folder: process.cwd(), from: 'command' });
}

/** Returns the flags, and the variables for options without a flag, as text. */
function givenOptions(command: Command, { env }: Host): Readonly<Record<string, string>> {
  const flags = command.opts<Record<string, unknown>>();
  const isFlag = (key: string) => command.getOptionValueSource(key) === 'cli';
  const names = submittedNames.filter((key) => isFlag(key) || (env[toVariable(key)] ?? '') !== '');
  // A user who names one destination does not mean another one from a weaker source.
  const others = isFlag('to') ? ['appId', 'region'] : isFlag('appId') ? ['to'] : [];
  const meant = names.filter((key) => isFlag(key) || !others.includes(key));
  return Object.fromEntries(meant.map((key) => [key, String(isFlag(key) ? flags[key] : env[toVariable(key)])]));
}

async function readJobs(flags: SubmitFlags, { env }: Host): Promise<readonly SubmittedJob[]> {
  if (flags.name !== undefined) throw new UsageError('Cannot use --name with a configuration: its jobs have names');
  const said = submittedNames.map(toVariable).find((variable) => (env[variable] ?? '') !== '');
  if (said !== undefined) {
    throw new UsageError(`Cannot use ${said} with --config: workers do not have it`, {
      hint: `Write it into the configuration, and run this without it: env -u ${said} chatferry submit …`,
    });
  }
  const { readConfigJobs: jobsOfConfig } = await import('../../fleet/unit-job.ts');
  return jobsOfConfig(flags.config!);
}

const nothingNamed = () =>
  new UsageError('Cannot submit: neither an export nor a configuration is named', {
    hint: 'chatferry submit EXPORT --tenant acme --to https://…, or chatferry submit --config ./chatferry.yaml',
  });

const noDestination = () =>
  new UsageError('Cannot submit: no destination is named', {
    hint: 'Pass --to with the base address of the app, before /v3; or --app-id with --region',
  });

/** Workers may have what is not here. */
function warnOfMissing(jobs: readonly SubmittedJob[], { stderr }: Host): void {
  for (const { config } of jobs)
    for (const path of 'path' in config.export ? config.export.path : [])
      if (!isServerAddress(path) && !existsSync(path))
        stderr.write(`"${oneLine(path)}" is not on this machine: it must be there, under that path, on every worker\n`);
}

function say(
  host: Host,
  config: FleetConfig,
  {
    submitted,
    paused,
    isWorked,
    isJson,
  }: {
    readonly submitted: readonly Submitted[];
    readonly paused: readonly string[];
    readonly isWorked: boolean;
    readonly isJson: boolean;
  },
): number {
  const exit = exitCodes.done;
  if (isJson) {
    print(host, JSON.stringify({ command: 'submit', submitted, paused, exit }));
    return exit;
  }
  for (const { unit, was, address, dueInMs, isPaused } of submitted) {
    const due = dueInMs === undefined ? '' : dueInMs === 0 ? ', due now' : `, due in ${formatDuration(dueInMs)}`;
    print(host, `${unit}: ${was}${isPaused ? ', and stays paused' : due}, to ${address}`);
  }
  for (const unit of paused) print(host, `${unit}: paused, its job is gone`);
  const flag = config.embedded === undefined ? '' : embeddedFlag(config.embedded);
  const ofWorker = config.embedded === undefined ? '' : flag || ' --embedded';
  const worker = `chatferry worker${ofWorker}   (none runs), then `;
  print(host, `Next      ${isWorked ? '' : worker}chatferry fleet status${flag}`);
  return exit;
}
