import type { Command } from 'commander';
import { flagOf, loadOptions } from '../../config/load-options.ts';
import type { Options } from '../../config/options.ts';
import { assertLocalDisk } from '../../lib/local-disk.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import type { Host } from '../host.ts';
import { openSurroundings, type Surroundings } from '../terminal/surroundings.ts';

/** What a command does: with checked options, inside surroundings that listen to signals. @returns The exit code. */
type Work<Args extends unknown[]> = (options: Options, around: Surroundings, ...args: Args) => Promise<number>;

/**
 * A commander action: loads options, runs the work, and sets the exit code. Errors are the caller's, `main`.
 *
 * @param ownFlags Names of flags that are no options: the command reads them itself.
 */
export function runs<Args extends unknown[]>(host: Host, work: Work<Args>, ownFlags: readonly string[] = []) {
  return async (...given: [...Args, Record<string, unknown>, Command]): Promise<void> => {
    const args = given.slice(0, -2) as unknown as Args;
    const command = given.at(-1) as Command;
    const { config, ...flags } = flagsOf(command, ownFlags);
    const options = loadOptions({ flags, env: host.env, configPath: config as string | undefined });
    if (mayRefuseDisk(command) && !options.allowNetworkFs) assertLocalDisk(options.store);
    const around = await openSurroundings(host, options);
    try {
      const exit = await work(options, around, ...args);
      host.exitCode = exitOfSignal(around) ?? exit;
    } catch (error) {
      const exit = exitOfSignal(around);
      if (exit === undefined) throw error;
      host.exitCode = exit;
    } finally {
      around.close();
    }
  };
}

/** Of the commands that have a store, those that can be told to use it wherever it is. */
const mayRefuseDisk = (command: Command): boolean =>
  command.options.some(({ long }) => long === flagOf('allowNetworkFs'));

function exitOfSignal(around: Surroundings): number | undefined {
  const signal = around.stoppedBy();
  if (signal === undefined) return undefined;
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
}

/** What was given on the command line, and not what the parser makes up: `--no-verify` would be "yes" without it. */
function flagsOf(command: Command, ownFlags: readonly string[]): Record<string, unknown> {
  const given = Object.entries(command.opts()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli' && !ownFlags.includes(name),
  );
  return Object.fromEntries(given);
}
