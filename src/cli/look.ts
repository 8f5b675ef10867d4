import type { Command } from 'commander';
import type { Options } from '../config/options.ts';
import { exitCodes } from '../run/exit-codes.ts';
import { lastAddress, readStatus, verifyDestination } from '../run/session.ts';
import { addOptions, optionGroups } from './flags.ts';
import { jsonResult, print, printOutcome, terminalLook } from './print.ts';
import { targetOf } from './request.ts';
import { runs } from './runs.ts';
import { renderSummary } from '../report/terminal.ts';

const { store, target, output } = optionGroups;

/** Commands that only look: status, report, verify. */
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

  const verify = program
    .command('verify')
    .summary('read everything back from the destination and compare')
    .description(
      'Reads back what the destination has, conversation by conversation, and compares it with what was sent.',
    );
  addOptions(verify, [...store, ...target, 'apiKeyFile', 'rate', ...output]);
  verify.action(
    runs(async (options, around) => {
      const to = destinationOf(options);
      const { report: found, exit } = await verifyDestination({
        ...around,
        ...targetOf(options, to),
        store: options.store,
      });
      await printOutcome(found, exit, options, []);
      return exit;
    }),
  );
}

/** The one that was named, else the one of the last import. */
const destinationOf = (options: Options): string => options.to ?? lastAddress(options.store) ?? 'sandbox';
