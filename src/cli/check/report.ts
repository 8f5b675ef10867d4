import { join } from 'node:path';
import type { Command } from 'commander';
import { type Options, reportFolderOf } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { withoutPeople } from '../../report/without-people.ts';
import { readTotals } from '../../commands/check.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { addAction } from '../command-context.ts';

const { store, output } = optionGroups;

export function addReport(program: Command, host: Host): void {
  const command = program
    .command('report')
    .description('Writes the report from the store, in the formats that are asked for. Sends nothing.');
  addOptions(command, ['anonymous', ...store, ...output]);
  addAction(command, host, async (options, { clock }) => {
    const files = options.anonymous ? anonymousFiles(options) : options;
    const outcome = readTotals({ store: options.store, clock }, 'report');
    const report = options.anonymous ? withoutPeople(outcome.report) : outcome.report;
    await printOutcome(host, { ...outcome, report }, files, {});
    return exitCodes.done;
  });
}

/** The folder of an anonymous report: never the one with names in it, unless the user says so. */
function anonymousFiles(options: Options): Options {
  const format = options.format.filter((name) => name !== 'csv');
  if (format.length === 0) {
    throw new UsageError('Cannot write an anonymous report as csv: the lists hold names and locations', {
      hint: 'Pass --format html, json or markdown',
    });
  }
  return { ...options, format, report: options.report ?? join(reportFolderOf(options), 'anonymous') };
}
