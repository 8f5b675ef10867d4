import type { Command } from 'commander';
import { readAhead } from '../../plan/reading/start-reading.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { runs } from '../surroundings.ts';

const { store, reading, planning, media, target, output } = optionGroups;

export function addPlan(program: Command, host: Host): void {
  const command = program
    .command('plan')
    .description(
      'Reads exports, maps every message, checks it against the destination, and reports. Sends nothing. ' +
        'With --show-message and no export, shows a message of the last plan.',
    )
    .argument('[EXPORT...]', 'folders, archives or files');
  addOptions(command, [
    ...store,
    ...reading,
    ...planning,
    'actions',
    'failOn',
    'probeMedia',
    ...media,
    'showMessage',
    ...target,
    'rate',
    ...output,
  ]);
  command.action(
    runs(host, async (options, around, exports: string[]) => {
      const ahead = exports.length > 0 ? readAhead({ ...options, exports }) : undefined;
      try {
        // Some four hundred files, read while the export is being opened.
        const { planCommand } = await import('./plan-command.ts');
        return await planCommand(options, around, exports, ahead);
      } finally {
        await ahead?.close();
      }
    }),
  );
}
