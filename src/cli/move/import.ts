import type { Command } from 'commander';
import { type Options, optionDefaults } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { noDeliveryTotals } from '../../model/totals.ts';
import { isSandbox, type ReportData, sumActions, sumArrivals } from '../../report/report-data.ts';
import { countOf } from '../../report/format.ts';
import { listLeft } from '../../report/verdict.ts';
import { renderSummary } from '../../report/terminal.ts';
import { importExport } from '../../commands/move.ts';
import { mediaFlagsOf, planningOf, sendChoices } from '../../commands/session.ts';
import { waitingCode } from '../../media/waiting-for-files.ts';
import { type Host, programName } from '../host.ts';
import { ask, askReading, askWhich } from '../terminal/ask.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { importCommand, realImport } from '../terminal/next-command.ts';
import { print, terminalStyle } from '../terminal/print.ts';
import { printOutcome } from '../terminal/outcome.ts';
import { agreedTarget } from '../agreed-target.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import type { ImportRequest } from '../../commands/requests.ts';
import type { Outcome } from '../../commands/results.ts';

const { store, reading, planning, media, target, sending, output } = optionGroups;

export function addImport(program: Command, host: Host): void {
  const command = program
    .command('import')
    .description(
      'Plans, sends pending messages, and reads them back. The same command continues after any interruption.\n' +
        'Without EXPORT it takes that of chatferry.yaml (export), else it sends what an earlier plan staged.\n' +
        'Into the sandbox next to the store, unless a destination is named: --app-id and --region for an app of the hosted ' +
        'service, --to for any other. --rehearse-for hosted stays in the sandbox and goes by the limits of that service.',
    )
    .argument('[EXPORT...]', 'folders, archives or files');
  command.option(
    '--open',
    'show the import in a page of the browser while it runs, and what arrived in the sandbox, until Ctrl-C',
  );
  command.option('--dry-run', 'Only plan: "chatferry plan" with the same options; sends nothing');
  addOptions(command, [...store, ...reading, ...planning, 'actions', ...media, ...target, ...sending, ...output]);
  addAction(command, host, async (options, given, exports: string[]) => {
    const { dryRun, open } = command.opts<{ readonly dryRun?: boolean; readonly open?: boolean }>();
    if (dryRun) return await planOnly(options, given, exports);
    const viewed = open ? await (await import('./view-import.ts')).viewImport(given, options, exports) : undefined;
    try {
      const { exit, outcome } = await importInto(host, options, viewed?.around ?? given, exports);
      await viewed?.end(outcome);
      return exit;
    } finally {
      await viewed?.close();
    }
  });
}

/** Messages that it leaves out would be sent. */
const withoutConfiguration = () =>
  new UsageError('Cannot send messages to a service without the configuration of this folder', {
    hint: 'Trust it (chatferry trust), or name one: --config FILE',
  });

async function importInto(
  host: Host,
  options: Options,
  around: CommandContext,
  exports: string[],
): Promise<{ readonly exit: number; readonly outcome: string }> {
  const to = options.to ?? 'sandbox';
  if (around.ignored !== undefined && (to !== 'sandbox' || options.appId !== undefined)) throw withoutConfiguration();
  const from = exports.length > 0 ? exports : around.configured;
  if (options.only && from.length === 0) throw onlyWithoutExport();
  const request: ImportRequest = {
    ...around,
    ...(await agreedTarget(options, to, around)),
    ...(await planningOf(options, from)),
    ...sendChoices(options),
    media: mediaFlagsOf(options),
    env: host.env,
    askReading: options.yes || options.json ? undefined : ({ reading }) => askReading(around, reading),
    confirm: options.yes ? undefined : (planned) => askToSend(planned, around),
  };
  const outcome = await importAsked(request, options, around);
  const { report } = outcome;
  await printOutcome(host, outcome, options, { next: nextSteps(report, options, exports) });
  return { exit: outcome.exit, outcome: describeVerdict(report) };
}

/** Once everything else is done, asks what becomes of messages whose files could not be copied. */
async function importAsked(request: ImportRequest, options: Options, around: CommandContext): Promise<Outcome> {
  const outcome = await importExport(request);
  const { stopped } = outcome.report;
  if (stopped?.code !== waitingCode || options.yes || options.json) return outcome;
  const missing = await askWhich(around.host, {
    question: `${stopped.message}. Let them wait, go with the original address, or with the name of the file?`,
    words: ['wait', 'original', 'name'],
    stopping: around.stopping,
  });
  if (missing === undefined || missing === 'wait') return outcome;
  return await importExport({ ...request, from: [], media: { ...request.media, missing } });
}

const describeVerdict = ({ totals, stopped }: ReportData): string =>
  stopped
    ? stopped.message
    : `${countOf(totals.imported + totals.existing, 'message')} arrived, ${totals.failed} failed, ${totals.invalid} invalid`;

async function planOnly(options: Options, around: CommandContext, exports: string[]): Promise<number> {
  const { runPlan } = await import('../prepare/plan-command.ts');
  return await runPlan(options, around, exports);
}

/** The plan that staged the messages has already chosen them. */
const onlyWithoutExport = () =>
  new UsageError('Cannot apply --only without an export: --only selects the messages to plan', {
    hint: 'Name the export: chatferry import EXPORT --only FILTER',
  });

function askToSend(planned: ReportData, { host, stopping }: CommandContext): Promise<boolean> {
  const { pending, unconfirmed } = sumActions(planned.actions);
  const actions = pending + unconfirmed > 0 ? ` and do ${countOf(pending + unconfirmed, 'action')} there` : '';
  const messages = planned.totals.pending + (planned.followUps?.pending ?? 0);
  const people = listLeft(planned.arrivals);
  const what = `send ${people === '' ? '' : `${people} and `}${messages} messages to ${planned.destination?.name}${actions}`;
  const show = () => print(host, renderSummary(planned, terminalStyle(host)));
  return ask(host, { what, show, question: `S${what.slice(1)}?`, stopping });
}

function nextSteps(report: ReportData, options: Options, exports: readonly string[]): string[] {
  const again = importCommand(options, exports);
  const { reading } = report;
  if (reading !== undefined && reading.stops.length > 0) return [`${again} --confirm-reading ${reading.digest}`];
  const others = [sumArrivals(report.arrivals), sumActions(report.actions)];
  const { totals, followUps = noDeliveryTotals() } = report;
  if ([totals, followUps, ...others].some(({ pending, unconfirmed }) => pending + unconfirmed > 0)) {
    const decided = importCommand(
      { ...options, maxFailures: optionDefaults.maxFailures, mediaMissing: undefined },
      exports,
    );
    return report.stopped?.goOn?.map((flags) => `${decided} ${flags}`) ?? [again];
  }
  const { store: path } = options;
  const where = path === './chatferry.db' ? '' : ` --store ${quoted(path)}`;
  const rehearsing = options.rehearseFor === undefined ? '' : ` --rehearse-for ${quoted(options.rehearseFor)}`;
  const corrections = [
    ...(report.totals.invalid + report.totals.failed > 0
      ? [`${programName} export-failed --out failed.ndjson${where}`]
      : []),
    ...(report.totals.failed + sumArrivals(report.arrivals).failed > 0
      ? [`${programName} retry${where}${rehearsing}`]
      : []),
  ];
  if (report.destination && isSandbox(report.destination)) {
    const data = `${path.replace(/\.db$/, '')}.sandbox.db`;
    return [
      ...(report.unverified ? [`${programName} verify${where}`] : []),
      `${programName} sandbox --open --data ${quoted(data)}`,
      ...corrections,
      realImport(options, exports),
    ];
  }
  return [`${programName} verify${where}`, ...corrections];
}
