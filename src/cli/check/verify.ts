import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { type Options, reportFolderOf } from '../../config/options.ts';
import { countOf } from '../../report/format.ts';
import { listNames, writeVerifyLists } from '../../delivery/verify.ts';
import { lastAddress, verifyDestination } from '../../commands/check.ts';
import type { Host } from '../host.ts';
import { ask } from '../terminal/ask.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { agreedTarget } from '../agreed-target.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';

const { store, target, output } = optionGroups;

export function addVerify(program: Command, host: Host): void {
  const command = program
    .command('verify')
    .description(
      'Reads the destination back, conversation by conversation, and compares it with what was sent. Reports messages that are ' +
        `missing, different, duplicated, extra, out of order. Exit 0 if nothing is, 6 if something is. ${docsLink('guides/verify')}.`,
    )
    .addOption(new Option('--seed <TEXT>', 'with --sample: choose the same messages as a run that named this seed'));
  addOptions(command, ['only', 'repair', 'sample', ...store, ...target, ...reading, ...output]);
  addAction(command, host, (options, around) => run(command.opts<{ seed?: string }>(), options, around));
}

/** Options for sending that reading and repairing need. */
const reading = ['yes', 'apiKeyFile', 'rate', 'concurrency', 'gracePeriod', 'sendProfiles'] as const;

async function run({ seed }: { readonly seed?: string }, options: Options, around: CommandContext): Promise<number> {
  const { host, stopping } = around;
  const { sendProfiles, maxFailures: maxFailureShare, sample } = options;
  const confirm = (missing: number, destination: string) => {
    const what = `send ${countOf(missing, 'missing message')} to ${destination} again`;
    return ask(host, { what, show() {}, question: `S${what.slice(1)}?`, stopping });
  };
  const outcome = await verifyDestination({
    ...around,
    ...(await agreedTarget(options, options.to ?? lastAddress(options.store) ?? 'sandbox', around)),
    store: options.store,
    only: options.only,
    repair: options.repair
      ? { sendProfiles, maxFailureShare: maxFailureShare, confirm: options.yes ? undefined : confirm }
      : undefined,
    sample: sample === undefined ? undefined : { size: sample, seed },
  });
  const folder = reportFolderOf(options);
  await writeVerifyLists(options.store, folder);
  const { report, exit } = outcome;
  await printOutcome(host, outcome, options, {});
  if (!options.json && report.differences.length > 0)
    print(host, `Each of them: ${join(folder, listNames.differences)}`);
  return exit;
}
