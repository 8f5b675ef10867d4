import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { init } from '../../commands/init/init.ts';
import type { Advisor } from '../../commands/init/proposal.ts';
import { parseSettings, parseValue, yamlLine } from '../../commands/init/settings.ts';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { assertOutsideExports } from '../../lib/outside-exports.ts';
import { oneLine, truncate } from '../../lib/plain-text.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import type { Finding } from '../../sources/source.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { runs, type Surroundings } from '../surroundings.ts';
import { quoted } from '../terminal/next-command.ts';
import { print } from '../terminal/print.ts';
import { describeFindings, describeInit } from './init-describe.ts';

interface OwnFlags {
  readonly set: readonly string[];
  readonly force?: boolean;
  readonly config?: string;
}

export function addInit(program: Command, host: Host): void {
  const command = program
    .command('init')
    .summary('write a configuration and a mapping for this export, to be edited')
    .description(
      'Looks at an export, asks where it can be read in several ways, and writes chatferry.yaml and a commented mapping.\n' +
        'Run again, it keeps what you decided and adds what is new.',
    )
    .argument('<EXPORT...>', 'folders, archives or files')
    .addOption(
      new Option(
        '--set <KEY=VALUE>',
        'Decide a key of the mapping, such as source.messages.time.format=dd/MM/yyyy; may be repeated',
      )
        .default([], 'none')
        .argParser((text: string, before: readonly string[]) => [...before, text]),
    )
    .option('--force', 'Start anew; what is there is copied first');
  addOptions(command, [
    ...optionGroups.reading,
    'mapping',
    'store',
    'to',
    'appId',
    'region',
    'profile',
    'yes',
    'json',
    'quiet',
    'progress',
    'logJson',
  ]);
  command.action((exports: string[], flags: OwnFlags, self: Command) =>
    runs(host, (options, around, paths: string[]) => initialise(paths, flags, options, around), ['set', 'force'])(
      exports,
      { ...flags },
      self,
    ),
  );
}

async function initialise(
  exports: readonly string[],
  flags: OwnFlags,
  options: Options,
  around: Surroundings,
): Promise<number> {
  const { host } = around;
  const { source, workspace, store, to, appId, region, profile } = options;
  const [mappingPath, configPath] = [options.mapping ?? 'chatferry.mapping.yaml', flags.config ?? 'chatferry.yaml'];
  assertOutsideExports('the mapping', mappingPath, exports);
  assertOutsideExports('the configuration', configPath, exports);
  const result = await init({
    exports,
    source,
    workspace,
    force: flags.force === true,
    settings: parseSettings(flags.set),
    mappingPath,
    configPath,
    config: { workspace, store: store === './chatferry.db' ? undefined : store, to, appId, region, profile },
    advisor: advisorFor(options, around),
    progress: around.progress,
    signal: around.stopping,
  });
  const exit = result.open.length > 0 ? exitCodes.usage : exitCodes.done;
  const again = flags.config === undefined ? [] : ['--config', quoted(flags.config)];
  if (options.json) print(host, JSON.stringify({ command: 'init', ...result, exit }));
  else print(host, describeInit(result, exports, again));
  return exit;
}

/** Somebody at the terminal, or `--yes`: then what can be read in several ways stays open. */
function advisorFor({ yes, json }: Options, { host, stopping }: Surroundings): Advisor {
  const { stdin, stdout } = host;
  const isAlone = yes || !stdin.isTTY || !stdout.isTTY;
  if (isAlone && !yes) {
    throw new UsageError('Cannot ask: standard input and output are no terminal', {
      hint: 'Pass --yes to take what has one reading; --set KEY=VALUE decides the rest',
    });
  }
  return {
    begin(title, inputs) {
      if (json) return;
      for (const { label, because } of inputs)
        print(host, `${oneLine(label)}: ${title}, because of ${oneLine(because)}`);
    },
    show(findings) {
      if (!json && findings.length > 0) print(host, `\n${describeFindings(findings, stdout.columns ?? Infinity)}\n\n`);
    },
    decide: async (finding) => (yes ? undefined : askFor(host, finding, stopping)),
  };
}

/** A choice that stands for "something else". Its own object: no reading of an export is the same. */
const somethingElse = {};
const leaveOpen = {};

/** A signal to oneself comes at once; this is for a machine that stands still. */
const signalMsMax = 10_000;

/** Choices on the screen at once. */
const shownMax = 12;

/**
 * Asks on the terminal which of several readings is right.
 *
 * @param stopping Aborted by Ctrl-C, which the terminal hands over as a key while it asks.
 * @returns The value, or nothing where it is left open.
 */
async function askFor(host: Host, finding: Finding, stopping: AbortSignal): Promise<unknown> {
  const { select, text, isCancel } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = host;
  const { key, value, because, alternatives } = finding;
  const readings = [...(value === undefined ? [] : [{ value, because }]), ...alternatives];
  const message = `${oneLine(key)}?${value === undefined ? ` ${truncate(oneLine(because), 120)}` : ''}`;
  const options = [
    ...readings.map((reading) => ({
      value: reading.value,
      label: oneLine(yamlLine(reading.value)),
      hint: truncate(oneLine(reading.because), 100),
    })),
    { value: somethingElse, label: 'Something else' },
    { value: leaveOpen, label: 'Decide later, in the mapping' },
  ];
  const chosen =
    readings.length === 0
      ? somethingElse
      : await select<unknown>({ message, options, maxItems: shownMax, input, output });
  if (isCancel(chosen)) await stop(host, stopping);
  if (chosen === leaveOpen) return undefined;
  if (chosen !== somethingElse) return chosen;
  const written = await text({
    message: `${oneLine(key)}:`,
    placeholder: 'Nothing: decide later, in the mapping',
    input,
    output,
  });
  if (isCancel(written)) await stop(host, stopping);
  return typeof written === 'string' && written.trim() !== '' ? parseValue(written) : undefined;
}

/** As Ctrl-C at any other moment: the command ends by its signal. */
async function stop(host: Host, stopping: AbortSignal): Promise<never> {
  host.interrupt();
  // Waiting for the signal alone would not keep the process alive until it comes.
  await sleep(signalMsMax, undefined, { signal: stopping }).catch(() => {});
  throw stopping.reason;
}
