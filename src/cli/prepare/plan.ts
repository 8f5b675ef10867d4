import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { addAction } from '../command-context.ts';

const { store, reading, planning, media, target, output } = optionGroups;

export function addPlan(program: Command, host: Host): void {
  const command = program
    .command('plan')
    .description(
      'Reads exports, maps every message, checks it against the destination, and reports. Sends nothing. ' +
        'Without EXPORT it takes that of chatferry.yaml (export). With --show-message and no export, shows a message of the last plan.',
    )
    .argument('[EXPORT...]', 'folders, archives or files');
  addOptions(command, [
    ...store,
    ...reading,
    ...planning,
    'actions',
    'failOn',
    'checkMedia',
    ...media,
    'showMessage',
    ...target,
    'rate',
    ...output,
  ]);
  addAction(command, host, async (options, around, exports: string[]) => {
    // Some four hundred files: loaded only for this command.
    const { runPlan } = await import('./plan-command.ts');
    return await runPlan(options, around, exports);
  });
}
