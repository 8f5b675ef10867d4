import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FleetConfig } from '../../fleet/fleet-config.ts';
import type { Submitted, SubmittedJob } from '../../fleet/submit.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseCount } from '../../lib/text/units.ts';
import type { OptionName } from '../../config/options.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { formatDuration } from '../../report/render/format.ts';
import type { JobConfig } from '../../sync/config/sync-file.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { runs, type Surroundings } from '../surroundings.ts';
import { print } from '../terminal/print.ts';

interface SubmitFlags {
  readonly config?: string;
  readonly tenant?: string;
  readonly name?: string;
  readonly parts?: string;
}

const { reading, planning, target } = optionGroups;
/** What a job may say that a command line may, too. */
const jobOptions = [
  ...[...reading, ...planning, ...target].filter((name) => name !== 'rehearseFor'),
  ...(['apiKeyFile', 'rate', 'batchItems', 'batchBytes', 'concurrency', 'grace', 'duplicates', 'details'] as const),
  ...(['maxRefused', 'late', 'notePeople', 'readBack', 'verify'] as const),
] satisfies readonly OptionName[];

export function addSubmit(program: Command, host: Host): void {
  const command = program
    .command('submit [EXPORT...]')
    .summary('hand an export, or the jobs of chatferry.yaml, to a fleet')
    .description(
      'Hands an export to a fleet, or every job of a configuration: workers carry them over. Handed in again with other settings, a unit changes;\n' +
        'jobs that are gone from the configuration are paused. Nothing is sent by this command. Asks nothing: it is the consent to send.',
    )
    .option('--tenant <NAME>', 'Whose it is: a-z, 0-9 and - (default: fleet.tenant)')
    .option('--name <NAME>', 'Name of the unit (default: that of the export)')
    .option(
      '--parts <N>',
      'Carry it over in so many parts, planned by several workers; auto: 2,000,000 messages each (default 1)',
    );
  addOptions(command, [...jobOptions, 'json', 'quiet']);
  command.action(
    runs(
      host,
      async (options, around, exports: string[]) => {
        const flags = command.opts<SubmitFlags>();
        const [{ loadFleet }, { openFleet }, { submitJob, pauseGone }, { checkTenant }] = await Promise.all([
          import('../../fleet/fleet-config.ts'),
          import('../../fleet/open-fleet.ts'),
          import('../../fleet/submit.ts'),
          import('../../fleet/unit-job.ts'),
        ]);
        const config = loadFleet({ env: host.env, configPath: flags.config });
        const tenant = checkTenant(flags.tenant ?? config.tenant ?? '');
        const jobs = exports.length > 0 ? [await jobOfExport(exports, command, flags)] : await jobsOfFile(flags, host);
        const parts = await partsOf(flags.parts, jobs, around);
        const fleet = await openFleet(config, { env: host.env, works: false, makes: false });
        try {
          const submitted: Submitted[] = [];
          for (const job of jobs) {
            const given = { tenant, parts, env: host.env, nowMs: around.clock.now(), random: around.random };
            submitted.push(...(await submitJob(fleet.database, fleet.engine, job, given)));
          }
          const names = jobs.map(({ config: { name } }) => name);
          const paused = exports.length > 0 ? [] : await pauseGone(fleet.database, fleet.engine, tenant, names);
          return say(host, config, { submitted, paused, isJson: options.json });
        } finally {
          await fleet.close();
        }
      },
      ['tenant', 'name', 'parts'],
    ),
  );
}

/** As if it stood in a file: a worker reads it as such. */
async function jobOfExport(exports: readonly string[], command: Command, { name }: SubmitFlags): Promise<SubmittedJob> {
  const [{ jobFromKeys }, { nameOfExport }] = await Promise.all([
    import('../../fleet/unit-job.ts'),
    import('../../fleet/submit.ts'),
  ]);
  const given = Object.entries(command.opts<Record<string, unknown>>()).filter(
    ([key]) => (jobOptions as readonly string[]).includes(key) && command.getOptionValueSource(key) === 'cli',
  );
  const job = {
    name: name ?? nameOfExport(exports[0]!),
    export: { path: exports.map((path) => resolve(path)) },
    ...Object.fromEntries(given.map(([key, value]) => [key, String(value)])),
  };
  return jobFromKeys({ job, top: {}, folder: process.cwd(), from: 'command' });
}

async function jobsOfFile(flags: SubmitFlags, host: Host): Promise<readonly SubmittedJob[]> {
  if (flags.config === undefined) {
    throw new UsageError('Cannot submit: neither an export nor a configuration is named', {
      hint: 'chatferry submit EXPORT --tenant acme --to https://…, or chatferry submit --config ./chatferry.yaml',
    });
  }
  if (flags.name !== undefined) throw new UsageError('Cannot use --name with a configuration: its jobs have names');
  const { jobsOfConfig } = await import('../../fleet/unit-job.ts');
  return jobsOfConfig(flags.config, host.env);
}

/** @throws UsageError, SourceError */
async function partsOf(
  given: string | undefined,
  jobs: readonly SubmittedJob[],
  { host, progress, signal }: Surroundings,
): Promise<number> {
  if (given === undefined) return 1;
  const [job, other] = jobs;
  if (!job || other || !('path' in job.config.export)) {
    throw new UsageError('Cannot use --parts: it is for one export that is named on the command line');
  }
  if (given === 'auto') return await autoPartsOf(job.config, host, { progress, signal });
  try {
    return parseCount(given, 1, 10_000);
  } catch (cause) {
    throw new UsageError(`Cannot use --parts: ${(cause as Error).message}`, { hint: 'Pass a number, or auto', cause });
  }
}

async function autoPartsOf(
  config: JobConfig,
  { env }: Host,
  { progress, signal }: Pick<Surroundings, 'progress' | 'signal'>,
): Promise<number> {
  const [{ autoParts }, { jobFor }] = await Promise.all([
    import('../../commands/auto-parts.ts'),
    import('../../sync/job.ts'),
  ]);
  const { source, workspace, mapping } = await jobFor({ env }, config).request();
  const from = 'path' in config.export ? config.export.path : [];
  const { parts } = await autoParts({ from, source, workspace, mapping, progress, signal });
  return parts.of;
}

function say(
  host: Host,
  config: FleetConfig,
  {
    submitted,
    paused,
    isJson,
  }: { readonly submitted: readonly Submitted[]; readonly paused: readonly string[]; readonly isJson: boolean },
): number {
  const exit = exitCodes.done;
  if (isJson) {
    print(host, JSON.stringify({ command: 'submit', submitted, paused, exit }));
    return exit;
  }
  for (const { unit, was, address, dueInMs } of submitted) {
    const when = dueInMs === undefined ? '' : dueInMs === 0 ? ', due now' : `, due in ${formatDuration(dueInMs)}`;
    print(host, `${unit}: ${was}${when}, to ${address}`);
  }
  for (const unit of paused) print(host, `${unit}: paused, its job is gone`);
  print(
    host,
    `Next      chatferry fleet status${config.embedded === undefined ? '' : '   (work is done by: chatferry worker --embedded)'}`,
  );
  return exit;
}
