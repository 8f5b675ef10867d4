import type { Command } from 'commander';
import { exitCodes } from '../run/exit-codes.ts';
import { readStatus } from '../run/session.ts';
import { addOptions, optionGroups } from './flags.ts';
import { jsonResult, print, printOutcome, terminalLook } from './print.ts';
import { runs } from './runs.ts';
import { renderSummary } from '../report/terminal.ts';

const { store, output } = optionGroups;

/** Commands that only look at the store: status, report. */
export function addLooks(program: Command): void {
  const status = program
    .command('status')
    .summary('the books as they stand, of the last destination')
    .description('Prints the books as they stand. Works while another process imports.');
  addOptions(status, [...store, 'json']);
  status.action(
    runs(async (options, around) => {
      const report = readStatus({ store: options.store, clock: around.clock }, 'status');
      if (options.json) print(JSON.stringify(jsonResult(report, exitCodes.done, null)));
      else print(renderSummary(report, terminalLook()));
      return exitCodes.done;
    }),
  );

  const report = program
    .command('report')
    .summary('write the report again')
    .description('Writes report.html and report.json from the store.');
  addOptions(report, [...store, ...output]);
  report.action(
    runs(async (options, around) => {
      await printOutcome(
        readStatus({ store: options.store, clock: around.clock }, 'report'),
        exitCodes.done,
        options,
        [],
      );
      return exitCodes.done;
    }),
  );
}
