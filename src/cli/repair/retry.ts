import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { countOf, formatCount } from '../../report/format.ts';
import { retryRefused } from '../../commands/repair.ts';
import { lastAddress } from '../../commands/check.ts';
import { sendChoices } from '../../commands/session.ts';
import type { Host } from '../host.ts';
import { ask } from '../terminal/ask.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { agreedTarget } from '../agreed-target.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { RetryChoice } from '../../commands/results.ts';

const { store, target, sending, output } = optionGroups;

export function addRetry(program: Command, host: Host): void {
  const command = program
    .command('retry')
    .description(
      'Sends failed messages again: all of them, those of one code, or those that are named.\n' +
        'Each is looked for first, so that nothing arrives twice. Messages that failed because the destination has other ' +
        'content under their id (different-content) are left alone unless that code or the message is named.\n' +
        'Quarantined messages are pending: an import sends them again, --one-by-one gives up those that stay unanswered.\n' +
        `Invalid rows need no retry: correct the export or the mapping and import again; ${docsLink('guides/retry')}.`,
    )
    .argument('[ID...]', "muids, or the messages' ids at the source");
  addOptions(command, ['code', 'oneByOne', ...store, ...target, ...sending, ...output]);
  addAction(command, host, async (options, around, ids: string[]) => {
    const to = options.to ?? lastAddress(options.store) ?? 'sandbox';
    const outcome = await retryRefused({
      ...around,
      ...(await agreedTarget(options, to, around)),
      store: options.store,
      ids,
      code: options.code,
      oneByOne: options.oneByOne,
      ...sendChoices(options),
      env: host.env,
      confirm: (found) => confirm(found, options, around),
    });
    const { choice, report } = outcome;
    if (countChosen(choice, options) > 0 || report.verify !== null || options.json)
      await printOutcome(host, outcome, options, {});
    return outcome.exit;
  });
}

async function confirm(choice: RetryChoice, options: Options, { host, stopping }: CommandContext): Promise<boolean> {
  const show = () => {
    if (!options.quiet && !options.json) print(host, describe(choice, options));
  };
  const count = countChosen(choice, options);
  if (count === 0 || choice.isEmbedded || options.yes) {
    show();
    return true;
  }
  const what = options.oneByOne
    ? `send ${countOf(count, 'quarantined message')} to ${choice.destination} one by one, and give up those that stay unanswered`
    : `send ${failedText(choice)} to ${choice.destination} again`;
  return ask(host, { what, show, question: `S${what.slice(1)}?`, stopping });
}

const countChosen = ({ chosen, begun, quarantined, arrivals }: RetryChoice, { oneByOne }: Options): number =>
  oneByOne ? quarantined : chosen + begun + countArrivals(arrivals);

const countArrivals = (arrivals: RetryChoice['arrivals']) => arrivals.reduce((sum, { count }) => sum + count, 0);

const failedText = ({ chosen, begun, arrivals }: RetryChoice): string =>
  [
    ...(chosen + begun > 0 ? [countOf(chosen + begun, 'failed message')] : []),
    ...(arrivals.length > 0 ? [`${formatCount(countArrivals(arrivals))} failed people, groups and members`] : []),
  ].join(' and ');

function describe(choice: RetryChoice, options: Options): string {
  const { codes, begun, quarantined, pending, destination, arrivals } = choice;
  const found = quarantined > 0 ? countOf(quarantined, 'message') : 'nothing';
  const aside = `Quarantined at ${oneLine(destination)}: ${found}`;
  if (options.oneByOne) return `${aside}\n\n`;
  const continued = begun > 0 ? [`${countOf(begun, 'message')} that an earlier retry has begun`] : [];
  const title = `Refused at ${oneLine(destination)}:`;
  for (const { kind, code, count } of arrivals)
    continued.push(`  ${oneLine(code)}  ${formatCount(count)} of ${kind} again, before the messages`);
  if (quarantined > 0)
    continued.push(`${aside}; --one-by-one sends each alone, and gives up those that stay unanswered`);
  if (codes.length + arrivals.length === 0) return [`${title} nothing`, ...continued].join('\n');
  const width = Math.max(...codes.map(({ code }) => oneLine(code).length));
  const lines = codes.map((found) => {
    const notes = [
      `${formatCount(found.chosen)} of ${formatCount(found.failed)} again`,
      found.unsendable > 0 && `${formatCount(found.unsendable)} no longer planned`,
    ].filter(Boolean);
    return `  ${oneLine(found.code).padEnd(width)}  ${notes.join(', ')}`;
  });
  lines.push(...continued);
  if (countChosen(choice, options) === 0)
    lines.push('Nothing is sent again: name a code (--code) or a message to insist');
  else if (pending > 0) lines.push(`Pending messages are sent with them: ${countOf(pending, 'message')}`);
  return `${[title, ...lines].join('\n')}\n\n`;
}
