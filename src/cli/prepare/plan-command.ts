import { planExport } from '../../commands/prepare.ts';
import { mediaFlagsOf, planningOf, targetOf } from '../../commands/session.ts';
import { lastAddress, showMessage } from '../../commands/check.ts';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { Severity } from '../../model/severity.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { codesFrom } from '../../report/verdict.ts';
import type { ReportData } from '../../report/report-data.ts';
import type { Host } from '../host.ts';
import { askReading } from '../terminal/ask.ts';
import { commandsAfterPlan } from '../terminal/next-command.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { print } from '../terminal/print.ts';
import type { CommandContext } from '../command-context.ts';
import type { PlanRequest } from '../../commands/requests.ts';
import type { ShownMessage, ShownPart } from '../../commands/results.ts';

/** Runs `chatferry plan`. @returns The exit code. */
export async function runPlan(options: Options, around: CommandContext, exports: string[]): Promise<number> {
  // A message is shown as the last plan has it, unless an export is named to plan first.
  const from = exports.length > 0 || options.showMessage !== undefined ? exports : around.configured;
  const outcome = from.length > 0 ? await planExport(await buildRequest(options, around, from)) : undefined;
  if (options.showMessage !== undefined) return await show(options.showMessage, options, around, outcome?.exit);
  if (!outcome) {
    throw new UsageError("Cannot plan: missing required argument 'EXPORT'", {
      hint: 'Name a folder, an archive or a file; or let "chatferry init" write it into chatferry.yaml (export)',
    });
  }
  await printOutcome(around.host, outcome, options, {
    next: commandsAfterPlan(outcome.report, options, exports),
  });
  sayWhyItFails(around.host, outcome.report, options.failOn);
  return outcome.exit;
}

/** Prints the reason to standard error, where a person looking for the cause of an exit code finds it. */
function sayWhyItFails({ stderr }: Host, report: ReportData, failOn: Severity | undefined): void {
  const found = codesFrom(report, failOn);
  const because = failOn === undefined ? 'something could not be read' : `of --fail-on ${failOn}`;
  if (found.length > 0) stderr.write(`Exit code 3 because ${because}: ${found.join(', ')}\n`);
}

const buildRequest = async (
  options: Options,
  around: CommandContext,
  exports: readonly string[],
): Promise<PlanRequest> => ({
  ...around,
  ...targetOf(options, options.to ?? 'sandbox', around.host),
  ...(await planningOf(options, exports)),
  askReading: options.yes || options.json ? undefined : ({ reading }) => askReading(around, reading),
  failOn: options.failOn,
  checkMedia: options.checkMedia,
  media: mediaFlagsOf(options),
});

/** @param planned Exit code of the plan before it, if there was one. */
async function show(
  muid: string,
  options: Options,
  { host, clock }: CommandContext,
  planned: number = exitCodes.done,
): Promise<number> {
  const to = options.to ?? lastAddress(options.store) ?? 'sandbox';
  const shown = await showMessage(muid, { ...targetOf(options, to, host), clock, store: options.store });
  print(host, options.json ? JSON.stringify({ command: 'plan', ...shown, exit: planned }) : renderShownMessage(shown));
  return planned;
}

export const renderShownMessage = ({ destination, parts }: ShownMessage): string =>
  parts.map((part) => renderPart(part, destination)).join('\n\n');

function renderPart({ muid, never, details }: ShownPart, destination: string): string {
  const added = Object.entries(details).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [
    `${muid} as import sends it to ${oneLine(destination)}, with --send-profiles never:`,
    escapeInvisible(never),
    'and with --send-profiles always (first: until a receipt shows that they arrived) also:',
    ...added.map(escapeInvisible),
  ].join('\n');
}

/** Characters that a terminal obeys or does not show, as JSON may write them as well: it is the same JSON. */
const escapeInvisible = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
