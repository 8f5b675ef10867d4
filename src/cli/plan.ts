import type { Command } from 'commander';
import { loadMapping } from '../mapping/load-rules.ts';
import { planExport } from '../run/session.ts';
import { addOptions, optionGroups } from './flags.ts';
import { importCommand } from './next-command.ts';
import { printOutcome } from './print.ts';
import { targetOf } from './request.ts';
import { runs } from './runs.ts';

const { store, reading, planning, target, output } = optionGroups;

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .summary('dry run: validate, stage and report; sends nothing')
    .description('Reads exports, maps every message, checks it against the destination, and reports. Sends nothing.')
    .argument('<EXPORT...>', 'folders, archives or files');
  addOptions(command, [...store, ...reading, ...planning, ...target, ...output]);
  command.action(
    runs(async (options, around, exports: string[]) => {
      const { report, exit } = await planExport({
        ...around,
        ...targetOf(options, options.to ?? 'sandbox'),
        store: options.store,
        exports,
        source: options.source,
        workspace: options.workspace,
        mapping: await loadMapping(options.mapping),
        acceptMapping: options.acceptMapping,
      });
      await printOutcome(report, exit, options, [importCommand(options, exports)]);
      return exit;
    }),
  );
}
