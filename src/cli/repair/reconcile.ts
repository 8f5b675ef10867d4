import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { countOf } from '../../report/format.ts';
import type { ReconcileCounts } from '../../commands/results.ts';
import { reconcileDestination } from '../../commands/repair.ts';
import { planningOf } from '../../commands/session.ts';
import { lastAddress } from '../../commands/check.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { importCommand } from '../terminal/next-command.ts';
import { print } from '../terminal/print.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { agreedTarget } from '../agreed-target.ts';
import { addAction } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';

const { store, reading, planning, target, output } = optionGroups;

export function addReconcile(program: Command, host: Host): void {
  const command = program
    .command('reconcile')
    .description(
      'Plans the export, reads every planned conversation back, and records the messages it finds: for a store that is lost, old ' +
        'or unconfirmed, or a destination that was emptied. A message still missing after a second check is pending again. Nothing is ' +
        `sent; the next import sends only missing messages. ${docsLink('guides/reconcile')}.`,
    )
    .argument('<EXPORT...>', 'folders, archives or files');
  addOptions(command, [
    ...(['newMuids', ...store, ...reading, ...planning, ...target] as const),
    ...(['apiKeyFile', 'concurrency', 'gracePeriod', ...output] as const),
  ]);
  addAction(command, host, async (options, around, exports: string[]) => {
    const { actions: _, ...planning } = await planningOf(options, exports);
    const outcome = await reconcileDestination({
      ...around,
      ...(await agreedTarget(options, options.to ?? findLastAddress(options) ?? 'sandbox', around)),
      ...planning,
      newMuids: options.newMuids,
    });
    const { report, exit, found } = outcome;
    if (!options.json) print(host, `${describe(found)}\n`);
    const isToSend = report.totals.pending > 0 && !report.stopped;
    await printOutcome(host, outcome, options, isToSend ? { next: [importCommand(options, exports)] } : {});
    return exit;
  });
}

/** A store that is lost remembers no destination. */
const findLastAddress = ({ store: path }: Options) => (existsSync(path) ? lastAddress(path) : undefined);

function describe(found: ReconcileCounts): string {
  const { confirmed, failed, different, putBack, unsent, duplicated, extra, foreign } = found;
  const lines: [number, string][] = [
    [confirmed, 'were in the store already'],
    [found.found, 'are there and were not in the store'],
    [failed, 'are there with other content under our id: failed'],
    [different, 'are in the store, and there with other content: see chatferry verify'],
    [putBack, 'were in the store and are gone: pending again'],
    [unsent, 'are not there and were not sent: pending'],
    [duplicated, 'are there more than once'],
    [extra, 'were written by Chatferry and are not from this export'],
    [foreign, 'were written by others'],
  ];
  return [
    `Read ${countOf(found.conversations, 'conversation')}:`,
    ...lines.filter(([count]) => count > 0).map(([count, what]) => `  ${countOf(count, 'message')} ${what}`),
  ].join('\n');
}
