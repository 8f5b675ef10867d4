import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { exitCodes } from '../../report/exit-codes.ts';
import { reportOfParts } from '../../commands/report-of-parts.ts';
import { readBooks } from '../../commands/status.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { runs } from '../surroundings.ts';

const { store, output } = optionGroups;

export function addReport(program: Command, host: Host): void {
  const command = program
    .command('report [PART...]')
    .description(
      'Writes the report from the store, in the formats that are asked for. Sends nothing. With the stores of all parts of an export: one report of the\n' +
        'whole, whose books are their sum; in whole.report beside the first of them unless --report says where.',
    );
  addOptions(command, [...store, ...output]);
  command.action(
    runs(host, async (options, around, paths: string[]) => {
      const [first = options.store, ...others] = paths;
      if (paths.length > 0 && around.said('store'))
        throw new UsageError('Cannot use --store with stores of parts', { hint: 'Name all of them, without --store' });
      if (others.length === 0) {
        const outcome = readBooks({ store: first, clock: around.clock }, 'report');
        await printOutcome(host, outcome, { ...options, store: first }, {});
        return exitCodes.done;
      }
      const { report = join(dirname(first), 'whole.report') } = options;
      await printOutcome(host, reportOfParts([first, ...others], around, 'report'), { ...options, report }, {});
      return exitCodes.done;
    }),
  );
}
