import { userName } from '../../lib/user-name.ts';
import { type Command, Option } from 'commander';
import { configOf } from '../../commands/session.ts';
import { trustedInit } from '../../commands/prepare.ts';
import { parseSettings } from '../../lib/settings.ts';
import type { Options } from '../../config/options.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { runs, type CommandContext } from '../command-context.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print } from '../terminal/print.ts';
import { advisorFor } from './advisor.ts';
import { describeInit } from './init-describe.ts';
import type { InitResult } from '../../commands/results.ts';

interface OwnFlags {
  readonly set: readonly string[];
  readonly force?: boolean;
  readonly assume?: boolean;
  readonly explain?: boolean;
  readonly count?: boolean;
  readonly config?: string;
}

export function addInit(program: Command, host: Host): void {
  const command = program
    .command('init')
    .description(
      'Inspects an export, asks you if a part can be read in several ways, and writes chatferry.yaml and a commented mapping.\n' +
        'If you run it again, it keeps your decisions and adds new entries.',
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
    .option(
      '--assume',
      'Ask nothing: take what cannot lose, merge or expose anything, leave the rest open, and go on where rows cannot be read',
    )
    .option('--explain', 'Show for every decision which candidates there were, with score, margin and evidence')
    .option(
      '--no-count',
      'Do not read the whole export for counts and for the people and groups in it: quick answers about a large one',
    )
    .option('--force', 'Start over; existing files are copied first');
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
  ]);
  command.action((exports: string[], flags: OwnFlags, self: Command) =>
    runs(host, (options, around, paths: string[]) => initialise(paths, flags, options, around), [
      'set',
      'force',
      'assume',
      'explain',
      'count',
    ])(exports, { ...flags }, self),
  );
}

async function initialise(
  exports: readonly string[],
  flags: OwnFlags,
  options: Options,
  around: CommandContext,
): Promise<number> {
  const { host } = around;
  const { source, workspace } = options;
  const [mappingPath, configPath] = [options.mapping ?? 'chatferry.mapping.yaml', flags.config ?? 'chatferry.yaml'];
  const files = { exports, source, workspace, mappingPath, configPath };
  const [assume, explain] = [flags.assume === true, flags.explain === true];
  const advisor = advisorFor({ ...options, assume, explain }, around);
  const request = {
    ...files,
    force: flags.force === true,
    count: flags.count !== false,
    settings: parseSettings(flags.set),
    config: configOf(options),
    advisor: advisor.own,
    notes: { store: options.store, by: userName(), atMs: around.clock.now() },
    progress: around.progress,
    signal: around.stopping,
  };
  const { result, counts, isInside } = await trustedInit(request, { mapping: options.mapping, config: flags.config });
  const exit = await initExitCode(result, advisor.agrees);
  const again = flags.config === undefined ? [] : ['--config', quoted(flags.config)];
  if (options.json) print(host, JSON.stringify({ command: 'init', ...result, assumed: advisor.assumed, exit }));
  else
    print(
      host,
      describeInit(result, exports, {
        flags: again,
        counts,
        assume,
        isInside,
        isCounted: flags.count !== false,
        isShown: advisor.isShown(),
        columns: host.stdout.columns ?? 80,
      }),
    );
  return exit;
}

/** Ends with rows that could not be read only if the user agrees to go on without them. */
async function initExitCode(
  { open, counts, invalidRows }: InitResult,
  agrees: (invalidCount: number) => Promise<boolean>,
): Promise<number> {
  if (open.length > 0) return exitCodes.usage;
  const invalid = counts?.invalid ?? invalidRows.length;
  if (invalid === 0 || (await agrees(invalid))) return exitCodes.done;
  return exitCodes.someFailed;
}
