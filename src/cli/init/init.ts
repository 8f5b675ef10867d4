import { type Command, Option } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/plain-text.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { init } from '../../commands/init/init.ts';
import type { Advisor } from '../../commands/init/proposal.ts';
import { parseSettings } from '../../commands/init/settings.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { describeFindings, describeInit } from './init-describe.ts';
import { askFor } from './init-questions.ts';
import { quoted } from '../terminal/next-command.ts';
import { print } from '../terminal/print.ts';
import { runs } from '../options/runs.ts';
import type { Surroundings } from '../terminal/surroundings.ts';

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
  const result = await init({
    exports,
    source,
    workspace,
    force: flags.force === true,
    settings: parseSettings(flags.set),
    mappingPath: options.mapping ?? 'chatferry.mapping.yaml',
    configPath: flags.config ?? 'chatferry.yaml',
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
