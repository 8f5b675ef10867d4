import type { Command } from 'commander';
import { assertCounts, readConfigFile } from '../../config/config-file.ts';
import { configuredExports } from '../../config/configured-exports.ts';
import { loadOptions } from '../../config/load-options.ts';
import type { Options } from '../../config/options.ts';
import type { Flags } from '../../desk/desk.ts';
import { holdsPassword, isServerAddress } from '../../io/input/server-input.ts';
import { standardInputName } from '../../io/input/standard-input.ts';
import { UsageError } from '../../lib/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { type CommandContext, runs } from '../command-context.ts';
import { type Host, programName } from '../host.ts';
import { untilStopped } from '../operate/until-stopped.ts';
import { addOptions } from '../options/flags.ts';
import { openPage } from '../terminal/open-page.ts';
import { print } from '../terminal/print.ts';
import { findDeskBrowsers, forgetDeskBrowsers, keepDeskBrowsers } from './desk-browsers.ts';

interface OwnFlags {
  readonly open: boolean;
  readonly config?: string;
}

/** Options that decide how an export is read: the commands that the desk runs get them as they were given. */
const reading = ['source', 'workspace', 'mapping'] as const;

export function addDesk(program: Command, host: Host): void {
  const command = program
    .command('desk')
    .description(
      'Opens a page of this machine that leads through a migration: decisions, people, rehearsal, import. Each step shows the commands that do the same. Ctrl-C ends it.',
    )
    .argument(
      '[EXPORT...]',
      'folders, archives or files; default: that of chatferry.yaml, or what you choose in the page',
    )
    .option('--no-open', 'only print the address of the page');
  addOptions(command, [...reading]);
  command.action((exports: string[], flags: OwnFlags, self: Command) =>
    runs(host, (options, around, paths: string[]) => serveDesk(paths, flags, options, around), ['open'])(
      exports,
      { ...flags },
      self,
    ),
  );
}

async function serveDesk(
  named: readonly string[],
  { open, config }: OwnFlags,
  options: Options,
  around: CommandContext,
): Promise<number> {
  const { host, clock } = around;
  assertExports([...named, ...around.configured]);
  const flags = pickFlags(options, around, config);
  const readOptions = () => loadedOptions(flags, named, host);
  // Refuses at once the options that each of its commands would refuse.
  readOptions();
  // The page ends by the same signal as any server, and then asks what it runs to stop.
  around.close();
  const [{ createDesk }, { serveWhereLinksLead }] = await Promise.all([
    import('../../desk/desk.ts'),
    import('../operate/serve-where-links-lead.ts'),
  ]);
  const folder = process.cwd();
  const before = findDeskBrowsers(folder);
  let [url, isKept] = ['', false];
  const onFault = (fault: unknown) => void host.stderr.write(`${String(fault)}\n`);
  const desk = createDesk({
    folder,
    exports: named,
    readOptions,
    flags,
    programName,
    startAgain: (args) => host.startAgain(args),
    startThread: host.startDeskThread,
    interrupt: (pid) => host.interruptOther(pid),
    env: host.env,
    setVariable: (name, value) => host.setVariable(name, value),
    clock,
    letIn: before,
    onEntered: (entrance, letIn) => {
      print(host, `Desk for another browser: ${url}${entrance}`);
      if (isKept) keepDeskBrowsers(folder, { ...letIn, port: portOf(url) });
    },
    onFault,
  });
  try {
    const server = await serveWhereLinksLead(desk.page, onFault, before?.port);
    url = server.url;
    // At another port, a desk of this folder may still be there.
    isKept = before === undefined || before.port === portOf(url);
    const entrance = url + desk.page.entrance;
    print(host, `Desk: ${entrance}`);
    if (open) openPage(entrance, host.env);
    await untilStopped(host);
    await server.close(500);
    if (isKept) forgetDeskBrowsers(folder);
  } finally {
    await desk.close();
  }
  return exitCodes.done;
}

const portOf = (url: string): number => Number(new URL(url).port);

const passwordHint = 'Leave it out, and set PGPASSWORD or MYSQL_PWD';

function assertExports(exports: readonly string[]): void {
  if (exports.includes(standardInputName))
    throw new UsageError('Cannot open the desk for standard input: it can be read once', {
      hint: 'Save it in a file and pass that file',
    });
  // It would be shown in the page, and be an argument of the commands that the page runs.
  if (exports.some((path) => isServerAddress(path) && holdsPassword(path)))
    throw new UsageError('Cannot open the desk: the address of the database holds a password', { hint: passwordHint });
}

/** Options that the user gave. The started commands find the others in the same configuration. */
function pickFlags(options: Options, { said }: CommandContext, config: string | undefined): Flags {
  const given = reading.flatMap((name) => {
    const value = options[name];
    return said(name) && value !== undefined ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(given), ...(config !== undefined && { config }) };
}

/** The options as the started commands read them, at this moment. @throws UsageError */
function loadedOptions({ config, ...flags }: Flags, named: readonly string[], { env }: Host): Options {
  const exports = named.length > 0 ? named : configuredExports(config);
  const options = loadOptions({ flags, env, configPath: config, exports });
  const file = readConfigFile(config, exports);
  // Its answers are written there.
  assertCounts(file);
  if (file?.isOfOthers)
    throw new UsageError(`Cannot open the desk for "${exports.join('", "')}": "${file.path}" is for another export`, {
      hint: 'Run it in another folder; or without an export, to go on with that one',
    });
  return options;
}
