import { ChatferryError } from '../../lib/errors.ts';
import type { ReportData } from '../../report/report-data.ts';
import { findNextStep, listSteps } from '../files/steps.ts';
import { commandLine } from '../runs/command-lines.ts';
import type { DeskState } from '../shapes.ts';
import { readVersion } from './changes.ts';
import { toDeskError } from './faults.ts';
import type { Parts } from './parts.ts';

/** Everything that the page needs to know about the migration at each moment. */
export function buildState(parts: Parts): DeskState {
  const { workspace, engine, runner, follower } = parts;
  const whatever = { folder: workspace.folder, run: parts.run(), runBefore: runner.before(), asking: engine.asking };
  try {
    parts.looking.check();
    parts.deciding.check();
    parts.peopleAhead.check();
    if (!runner.isBusy) follower.check();
    const steps = listSteps({
      source: sourceTitle(parts),
      isCounted: parts.looking.inspection?.open.length === 0,
      open: parts.deciding.open,
      plan: workspace.report('plan'),
      isPlanCurrent: parts.deciding.isPlanCurrent,
      rehearsal: workspace.report('rehearsal'),
      peopleSeen: workspace.peopleSeen(),
    });
    const ahead = { steps, next: findNextStep(steps), commands: listCommands(parts) };
    return { ...whatever, error: null, ...ahead, version: readVersion(parts), chats: parts.chats.of };
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    const nothing = { steps: [], next: 'source', commands: noCommands, chats: null } as const;
    return { ...whatever, ...nothing, error: toDeskError(error), version: `.${parts.changes()}` };
  }
}

const sourceTitle = ({ looking: { found } }: Parts): string | null =>
  found && 'recognised' in found ? found.recognised.title : null;

const noCommands: DeskState['commands'] = {
  source: [],
  conversations: [],
  decide: [],
  people: [],
  rehearse: [],
  go: [],
};

type LineName = Parameters<typeof commandLine>[0];

function listCommands(parts: Parts): DeskState['commands'] {
  const facts = parts.facts();
  if (facts.exports.length === 0) return noCommands;
  const lines = (...names: readonly LineName[]) => names.map((name) => commandLine(name, facts).text);
  const hasDestination = facts.options.appId !== undefined || (facts.options.to ?? 'sandbox') !== 'sandbox';
  return {
    source: lines('inspect'),
    conversations: lines('init'),
    decide: lines('init'),
    people: lines('people'),
    rehearse: lines('plan', 'rehearse'),
    go: lines(
      'report',
      ...(hasDestination ? goLines : []),
      ...(hasDestination ? corrections(parts.workspace.report('plan')) : []),
    ),
  };
}

const goLines = ['doctor', 'import', 'verify'] as const;

/** Ways on for messages that did not arrive. */
const corrections = (report: ReportData | null): readonly LineName[] => [
  ...(report !== null && report.totals.invalid + report.totals.failed > 0 ? (['export-failed'] as const) : []),
  ...(report !== null && report.totals.failed > 0 ? (['retry'] as const) : []),
];
