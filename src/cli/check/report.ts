import type { Command } from 'commander';
import { exitCodes } from '../../model/exit-codes.ts';
import { readTotals } from '../../commands/status.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { runs } from '../command-context.ts';

const { store, output } = optionGroups;

export function addReport(program: Command, host: Host): void {
  const command = program
    .command('report')
    .description('Writes the report from the store, in the formats that are asked for. Sends nothing.');
  addOptions(command, [...store, ...output]);
  command.action(
    runs(host, async (options, { clock }) => {
      await printOutcome(host, readTotals({ store: options.store, clock }, 'report'), options, {});
      return exitCodes.done;
    }),
  );
}
