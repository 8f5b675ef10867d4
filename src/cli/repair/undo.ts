import type { Command } from 'commander';
import { type Options, reportFolderOf } from '../../config/options.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { countOf } from '../../report/format.ts';
import { lastAddress, readTotals } from '../../commands/check.ts';
import { undoDestination } from '../../commands/repair.ts';
import type { Host } from '../host.ts';
import { ask } from '../terminal/ask.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { agreedTarget } from '../agreed-target.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import { writeReportFiles } from '../../report/report-files.ts';
import type { UndoSum, UndoLeft, UndoResult } from '../../commands/results.ts';

const { store, target, output } = optionGroups;

export function addUndo(program: Command, host: Host): void {
  const command = program
    .command('undo')
    .description(
      'Deletes conversations that were empty before the import and hold only messages that Chatferry sent, and deactivates people whom it made; shows the requests ' +
        'first, and asks. Everything else is kept, and listed with the reason. Rolled-back content is pending again:\n' +
        `the next import sends it under new ids. The same command continues after any interruption; ${docsLink('guides/undo')}.`,
    );
  addOptions(command, [
    ...([
      'only',
      'dryRun',
      'yes',
      'keepUsers',
      ...store,
      ...target,
      'apiKeyFile',
      'concurrency',
      'gracePeriod',
    ] as const),
    ...output,
  ]);
  addAction(command, host, async (options, around) => {
    let isDeclined = false;
    const { runId, result, exit } = await undoDestination({
      ...around,
      ...(await agreedTarget(options, options.to ?? lastAddress(options.store) ?? 'sandbox', around)),
      store: options.store,
      only: options.only,
      keepUsers: options.keepUsers,
      dryRun: options.dryRun,
      confirm: async (planned) => {
        isDeclined = !(await confirm(planned, options, around));
        return !isDeclined;
      },
    });
    const { store, dryRun } = options;
    if (options.json) print(host, JSON.stringify({ command: 'undo', runId, store, dryRun, ...result, exit }));
    else if (dryRun) print(host, describePlan(result));
    else if (!isDeclined) print(host, describeEnd(result));
    if (!dryRun && !isDeclined) await writeReport(options, around);
    return exit;
  });
}

/** The report of the import said that its messages have arrived. @throws StoreError after everything else was done and printed */
async function writeReport(options: Options, { clock }: Pick<CommandContext, 'clock'>): Promise<void> {
  const { store, format: formats } = options;
  await writeReportFiles(reportFolderOf(options), readTotals({ store, clock }, 'undo'), { store, formats });
}

async function confirm(planned: UndoResult, options: Options, { host, stopping }: CommandContext): Promise<boolean> {
  if (!options.quiet && !options.json) print(host, describePlan(planned));
  if (options.yes) return true;
  const what = `roll back ${formatSums(planned.todo)} from ${oneLine(planned.destination)}`;
  return ask(host, { what, show() {}, question: `T${what.slice(1)}? This cannot be undone.`, stopping });
}

const formatSums = ({ group, conversation, member, person, deactivation }: UndoResult['todo']): string => {
  const others = [
    ...(member.calls > 0 ? [countOf(member.calls, 'member')] : []),
    ...(person.calls > 0 ? [countOf(person.calls, 'person', 'people')] : []),
    ...(deactivation.calls > 0 ? [countOf(deactivation.calls, 'deactivation')] : []),
  ];
  const conversations = formatConversations({
    calls: group.calls + conversation.calls,
    messages: group.messages + conversation.messages,
  });
  return [
    ...others.slice(0, -1).reduce((said, other) => [`${said}, ${other}`], [conversations]),
    ...others.slice(-1),
  ].join(' and ');
};

const formatConversations = ({ calls, messages }: UndoSum) =>
  `${countOf(calls, 'conversation')} with ${countOf(messages, 'message')}`;

function describePlan({ requests, todo, left, staying, stayingFiles, destination, only }: UndoResult): string {
  const total = Object.values(todo).reduce((sum, { calls }) => sum + calls, 0);
  return [
    `At ${oneLine(destination)} these requests would roll back the import${only === null ? '' : ` and --only finds (${oneLine(only)})`}:`,
    ...requests.map(({ request, name, messages }) =>
      messages > 0
        ? `  ${oneLine(request)}   ${countOf(messages, 'message')} of "${oneLine(name)}"`
        : `  ${oneLine(request)}   "${oneLine(name)}"`,
    ),
    ...(total > requests.length ? [`  and ${total - requests.length} more`] : []),
    `In sum: ${formatSums(todo)}. Each conversation and person is read once more right before its request.`,
    ...(todo.member.calls > 0 ? ['The service may write a message into a group for each member that is removed.'] : []),
    ...describeLeft(left),
    ...describeStaying(staying),
    ...describeFiles(stayingFiles),
  ].join('\n');
}

function describeEnd({ done, todo, left, staying, stayingFiles, stopped }: UndoResult): string {
  const isDone = Object.values(todo).every(({ calls }) => calls === 0);
  return [
    `Rolled back: ${formatSums(done)}${isDone ? '' : `; still to do: ${formatSums(todo)}`}`,
    ...describeLeft(left),
    ...describeStaying(staying),
    ...describeFiles(stayingFiles),
    ...(stopped ? [oneLine(stopped.message), ...(stopped.hint ? [`  ${oneLine(stopped.hint)}`] : [])] : []),
  ].join('\n');
}

/** Describes what was applied after the messages, other than reactions. */
function describeStaying(staying: UndoResult['staying']): string[] {
  const kinds = Object.entries(staying).map(([kind, count]) => `${kind} ${count}`);
  return kinds.length === 0 ? [] : [`Not rolled back: ${kinds.join(', ')}; ${docsLink('guides/actions')} says how`];
}

/** Conversations are rolled back, files stay where they are. */
const describeFiles = (stayingFiles: UndoResult['stayingFiles']): string[] =>
  stayingFiles.map(
    ({ location, files }) =>
      `${countOf(files, 'file')} ${files === 1 ? 'stays' : 'stay'} at ${oneLine(location)}: chatferry media undo deletes files that were written there`,
  );

function describeLeft(left: readonly UndoLeft[]): string[] {
  if (left.length === 0) return [];
  return [
    'Left alone:',
    ...left.flatMap(({ explanation, examples, ...sum }) => [
      `  ${sum.messages > 0 ? formatConversations(sum) : sum.calls}: ${explanation}`,
      ...examples.map(({ name, detail }) => `    "${oneLine(name)}"${detail === '' ? '' : `: ${oneLine(detail)}`}`),
    ]),
  ];
}
