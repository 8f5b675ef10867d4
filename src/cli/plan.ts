import type { Command } from 'commander';
import { UsageError } from '../lib/errors.ts';
import type { Severity } from '../checks/check.ts';
import type { ReportData } from '../report/report-data.ts';
import { exitCodes, findingsFrom } from '../run/exit-codes.ts';
import { lastAddress, type PlanRequest, planExport } from '../run/session.ts';
import { showMessage } from '../run/show-message.ts';
import type { Options } from '../config/options.ts';
import { addOptions, optionGroups } from './flags.ts';
import { commandsAfterPlan } from './next-command.ts';
import { print, printOutcome } from './print.ts';
import { planningOf, targetOf } from './request.ts';
import { runs } from './runs.ts';
import { renderShownMessage } from './show-message.ts';
import type { Surroundings } from './surroundings.ts';

const { store, reading, planning, target, output } = optionGroups;

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .summary('dry run: validate, stage and report; sends nothing')
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
    'showMessage',
    ...target,
    'rate',
    ...output,
  ]);
  command.action(
    runs(async (options, around, exports: string[]) => {
      const outcome = exports.length > 0 ? await planExport(await requestOf(options, around, exports)) : undefined;
      if (options.showMessage !== undefined) return show(options.showMessage, options, around, outcome?.exit);
      if (!outcome) {
        throw new UsageError("Cannot plan: missing required argument 'EXPORT'", {
          hint: 'Name a folder, an archive or a file',
        });
      }
      await printOutcome(outcome, options, commandsAfterPlan(outcome.report, options, exports));
      if (options.failOn !== undefined) sayWhyItFails(outcome.report, options.failOn);
      return outcome.exit;
    }),
  );
}

/** On standard error, where whoever looks for the cause of an exit code finds it. */
function sayWhyItFails({ problems }: ReportData, failOn: Severity): void {
  const found = findingsFrom(problems, failOn).map(({ code }) => code);
  if (found.length > 0) process.stderr.write(`Exit code 3 because of --fail-on ${failOn}: ${found.join(', ')}\n`);
}

const requestOf = async (options: Options, around: Surroundings, exports: string[]): Promise<PlanRequest> => ({
  ...around,
  ...targetOf(options, options.to ?? 'sandbox'),
  ...(await planningOf(options, exports)),
  actions: options.actions,
  failOn: options.failOn,
  probeMedia: options.probeMedia,
});

/** @param planned Exit code of the plan before it, if there was one. */
function show(muid: string, options: Options, { clock }: Surroundings, planned: number = exitCodes.done): number {
  const to = options.to ?? lastAddress(options.store) ?? 'sandbox';
  const shown = showMessage(muid, { ...targetOf(options, to), clock, store: options.store });
  print(options.json ? JSON.stringify({ command: 'plan', ...shown, exit: planned }) : renderShownMessage(shown));
  return planned;
}
