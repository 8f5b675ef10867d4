import type { Command } from 'commander';
import { exitCodes } from '../run/exit-codes.ts';
import { readBooks } from '../run/session.ts';
import { addOptions, optionGroups } from './flags.ts';
import { printOutcome } from './print.ts';
import { runs } from './runs.ts';

const { store, output } = optionGroups;

/** Commands that only look at the store: report. */
export function addLooks(program: Command): void {
  const report = program
    .command('report')
    .summary('write the report again')
    .description('Writes the report from the store, in the formats that are asked for. Sends nothing.');
  addOptions(report, [...store, ...output]);
  report.action(
    runs(async (options, around) => {
      await printOutcome(readBooks({ store: options.store, clock: around.clock }, 'report'), options, []);
      return exitCodes.done;
    }),
  );
}
