import type { Command } from 'commander';
import { configuredExports } from '../config/configured-exports.ts';
import { ignoredWords, readConfigFile } from '../config/config-file.ts';
import { toFlag, isSaid, loadOptions, namingFile } from '../config/load-options.ts';
import { isOption, type OptionName, type Options } from '../config/options.ts';
import { ChatferryError } from '../lib/errors.ts';
import { assertLocalDisk } from '../lib/files/local-disk.ts';
import { silent } from '../lib/flow/progress.ts';
import { forTerminal } from '../lib/text/plain-text.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { Host, StopSignal } from './host.ts';
import { wantsColor } from './terminal/print.ts';
import { createProgress, type Progress } from './terminal/progress.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';

/**
 * Environment of every command: the host with its clock and randomness, progress, and the requests to stop. `stopping` is aborted at the first
 * Ctrl-C, `signal` a few seconds later.
 */
export interface CommandContext extends Omit<RunControls, 'progress'> {
  readonly host: Host;
  readonly progress: Progress;
  /** Whether the user himself said it, on the command line or in the environment; not whether a file does. */
  readonly said: (name: OptionName) => boolean;
  /** Exports that the configuration names, for commands that were given none. */
  readonly configured: readonly string[];
  /** The line about a configuration of this folder that does not count. */
  readonly ignored: string | undefined;
  readonly stoppedBy: () => StopSignal | undefined;
  /** Prints nothing more to standard error: from now on it is for programs. */
  mute(): void;
  close(): void;
}

/** Work of a command: with checked options, inside surroundings that listen to signals. @returns The exit code. */
type Work<Args extends unknown[]> = (options: Options, around: CommandContext, ...args: Args) => Promise<number>;

/** Makes a command do this work, with the options that were given; `ownFlags` as for `runs`. */
export function addAction<Args extends unknown[]>(
  command: Command,
  host: Host,
  work: Work<Args>,
  ownFlags: readonly string[] = [],
): void {
  command.action(runs(host, work, ownFlags));
}

/**
 * A commander action: loads options, runs the work, and sets the exit code. Errors are the caller's, `main`.
 *
 * @param ownFlags Flags that have the name of an option and another meaning: the command reads them itself.
 */
export function runs<Args extends unknown[]>(host: Host, work: Work<Args>, ownFlags: readonly string[] = []) {
  return async (...given: [...Args, Record<string, unknown>, Command]): Promise<void> => {
    const args = given.slice(0, -2) as unknown as Args;
    const command = given.at(-1) as Command;
    const { config, ...flags } = readFlags(command, ownFlags);
    const configPath = config as string | undefined;
    const named = exportArguments(command);
    const configured = named.length === 0 && usesConfigured(command) ? configuredExports(configPath) : [];
    const exports = [...named, ...configured];
    const options = loadOptions({ flags, env: host.env, configPath, exports });
    const file = readConfigFile(configPath, exports);
    const ignored = needsConfiguration(command) ? undefined : ignoredWords(file);
    const said = (name: OptionName) => isSaid(name, { flags, env: host.env });
    if (mayRefuseDisk(command) && !options.allowNetworkFs) assertLocalDisk(options.store);
    const around = { ...openContext(host, options), said, configured, ignored };
    try {
      if (ignored !== undefined) warn(ignored, options, around);
      const exit = await work(options, around, ...args);
      host.exitCode = signalExitCode(around) ?? exit;
    } catch (error) {
      const exit = signalExitCode(around);
      if (exit === undefined) throw namingFile(await explained(error, options.store), file, said);
      host.exitCode = exit;
    } finally {
      around.close();
    }
  };
}

/** Explains an unexpected error, which may come from a damaged store. Errors with a code state themselves what is wrong. */
async function explained(error: unknown, store: string): Promise<unknown> {
  const hasCode = error instanceof Error && 'code' in error && error.code !== 'SQLITE_ERROR';
  if (error instanceof ChatferryError || hasCode) return error;
  const [{ storeDamage }, { rulesSchema }] = await Promise.all([
    import('../store/open.ts'),
    import('../mapping/rules.ts'),
  ]);
  return storeDamage(store, { rules: rulesSchema }) ?? error;
}

const exportArguments = ({ registeredArguments: [first], args }: Command): readonly string[] =>
  first?.name() === 'EXPORT' ? args : [];

/** The commands that take their export from the configuration; export-failed takes the user of a database alone. */
const usesConfigured = (command: Command): boolean =>
  ['desk', 'plan', 'import', 'export-failed'].includes(command.name());

/** The commands that end if the configuration does not count: they say so themselves. */
const needsConfiguration = (command: Command): boolean => ['desk', 'sync', 'jobs'].includes(command.name());

/** Says a line that no option makes silent, in the form of everything else on standard error. */
function warn(line: string, { progress: style }: Options, { host, progress }: Omit<CommandContext, 'said'>): void {
  if (style === 'json') progress.log(line, 'warn');
  else host.stderr.write(`${forTerminal(line)}\n`);
}

/** Returns whether a command with a store has the option to use it on any file system. */
const mayRefuseDisk = (command: Command): boolean =>
  command.options.some(({ long }) => long === toFlag('allowNetworkFs'));

function signalExitCode(around: CommandContext): number | undefined {
  const signal = around.stoppedBy();
  if (signal === undefined) return undefined;
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
}

/**
 * The options given on the command line, and `config`; no flags that the command reads itself, and none that the parser adds:
 * `--no-verify` would be "yes" otherwise.
 */
function readFlags(command: Command, ownFlags: readonly string[]): Record<string, unknown> {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli' && !ownFlags.includes(name);
  const given = Object.entries(command.opts()).filter(
    ([name]) => isGiven(name) && (isOption(name) || name === 'config'),
  );
  return Object.fromEntries(given);
}

/** How long requests in flight may take to finish once the run is asked to stop. */
const finishMs = 3000;

function openContext(
  host: Host,
  options: Pick<Options, 'quiet' | 'progress'>,
): Omit<CommandContext, 'said' | 'configured' | 'ignored'> {
  const stopping = new AbortController();
  const cutting = new AbortController();
  const closing = new AbortController();
  let stoppedBy: StopSignal | undefined;
  const progress = progressFor(host, options);
  let isMuted = false;
  const stop = (signal: StopSignal) => {
    // The second one does not wait.
    if (stoppedBy) return host.exit(signal === 'SIGINT' ? 130 : 143);
    stoppedBy = signal;
    if (!isMuted) progress.log('Stopping: requests in flight may finish; the same command continues later');
    stopping.abort(new Error(`stopped by ${signal}`));
    const isTimeUp = host.clock.sleep(finishMs, closing.signal).then(
      () => true,
      () => false,
    );
    void isTimeUp.then((isUp) => isUp && cutting.abort(new Error(`stopped by ${signal}`)));
  };
  const onInterrupt = () => stop('SIGINT');
  const onTerminate = () => stop('SIGTERM');
  host.on('SIGINT', onInterrupt);
  host.on('SIGTERM', onTerminate);
  return {
    host,
    clock: host.clock,
    random: host.random,
    progress,
    stopping: stopping.signal,
    signal: cutting.signal,
    stoppedBy: () => stoppedBy,
    mute() {
      isMuted = true;
    },
    close() {
      closing.abort();
      host.off('SIGINT', onInterrupt);
      host.off('SIGTERM', onTerminate);
      progress.close();
    },
  };
}

/** `--progress` states it exactly and takes precedence over `--quiet`. */
function progressFor({ stderr, clock, env }: Host, { quiet, progress }: Pick<Options, 'quiet' | 'progress'>): Progress {
  if (progress === 'none' || (progress === undefined && quiet)) return { ...silent, log() {}, close() {} };
  return createProgress({
    stream: stderr,
    style: progress ?? (stderr.isTTY === true ? 'live' : 'plain'),
    columns: () => stderr.columns ?? 80,
    clock,
    color: wantsColor(stderr, env),
  });
}
