import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf } from '../../report/format.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { purge } from '../../commands/repair.ts';
import { targetOf } from '../../commands/session.ts';
import type { Host } from '../host.ts';
import { ask } from '../terminal/ask.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { PurgePlan, PurgeResult } from '../../commands/results.ts';

const { store, target } = optionGroups;

export function addPurge(program: Command, host: Host): void {
  const command = program
    .command('purge')
    .description(
      'Deletes the content of verified messages from the checkpoint store. A digest of each message stays, so that verify, ' +
        'status and later imports work as before. It cannot be undone. Names of people and conversations stay; ' +
        `${docsLink('guides/retry')} says what else.`,
    );
  addOptions(command, [...store, ...target, 'yes', 'json', 'quiet', 'progress']);
  addAction(command, host, async (options, around) => {
    const { to, appId } = options;
    const named = to !== undefined || appId !== undefined;
    const done = await purge({
      ...around,
      store: options.store,
      target: named ? targetOf(options, to ?? '', host) : undefined,
      confirm: (plan) => confirm(plan, options, around),
    });
    if (options.json) print(host, JSON.stringify({ command: 'purge', store: options.store, ...done }));
    else if (done.exit === exitCodes.done) print(host, describeDone(done, options));
    return done.exit;
  });
}

async function confirm(plan: PurgePlan, options: Options, { host, stopping }: CommandContext): Promise<boolean> {
  const show = () => {
    if (!options.json && !options.quiet) print(host, describePlan(plan));
  };
  if (options.yes) {
    show();
    return true;
  }
  const what = `purge the content of ${countOf(plan.messages, 'message')}`;
  return ask(host, { what, show, question: `P${what.slice(1)}? It cannot be undone`, stopping });
}

function describePlan({ destination, messages, bytes, unverified, neededElsewhere }: PurgePlan): string {
  const lines = [
    `To purge: the content of ${countOf(messages, 'message')} at ${oneLine(destination)}, ${formatBytes(bytes)}`,
  ];
  if (unverified > 0)
    lines.push(`Kept: ${countOf(unverified, 'message')}, not verified without differences since the last change`);
  if (neededElsewhere > 0)
    lines.push(`Kept: ${countOf(neededElsewhere, 'message')}, still to be sent or settled at another destination`);
  return lines.join('\n');
}

function describeDone({ purged, bytesBefore, bytesAfter }: PurgeResult, { store: path }: Options): string {
  const lines = [
    `Purged: the content of ${countOf(purged, 'message')}. The store had ${formatBytes(bytesBefore)}, it has ${formatBytes(bytesAfter)}`,
  ];
  const sandbox = `${path.replace(/\.db$/, '')}.sandbox.db`;
  if (existsSync(sandbox))
    lines.push(`The sandbox next to the store still has the rehearsed messages: delete ${oneLine(sandbox)} as well`);
  return lines.join('\n');
}
