import type { TurnProgress } from '../../fleet/database/units.ts';
import type { FleetOverview, UnitOverview, WorkerOverview } from '../../fleet/overview.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { countOf, formatCount, formatDuration } from '../../report/render/format.ts';

/** The fleet as a table, and what needs somebody in words below it. */
export function describeFleet({ database, files, workers, units }: FleetOverview): string {
  const alive = workers.filter(({ isSilent }) => !isSilent);
  const running = alive.reduce((sum, worker) => sum + worker.running, 0);
  const head = `${countOf(alive.length, 'worker')}, ${countOf(running, 'turn')} running   database ${Math.ceil(database.ms)} ms, files ${oneLine(files.words)}`;
  const silent = workers.filter(({ isSilent }) => isSilent).map(describeSilent);
  if (units.length === 0)
    return [head, ...silent, '', 'No units yet: chatferry submit EXPORT --tenant NAME --to ADDRESS'].join('\n');
  const rows = units.map((unit) => rowOf(unit));
  const needs = units.filter(({ reason }) => reason !== null).flatMap(describeNeed);
  return [head, ...silent, '', ...table([columns, ...rows]), ...(needs.length > 0 ? ['', ...needs] : [])].join('\n');
}

const describeSilent = ({ id, silentMs }: WorkerOverview): string =>
  `Silent    ${id}, for ${formatDuration(silentMs)}: what it had is taken over`;

const columns = ['TENANT', 'UNIT', 'STATE', 'PLANNED', 'IMPORTED', 'LEFT', 'QUOTA', 'DONE BY', 'WORKER'];
/** Numbers stand at the right. */
const atRight: ReadonlySet<string> = new Set(['PLANNED', 'IMPORTED', 'LEFT']);

function rowOf(unit: UnitOverview): string[] {
  const { tenant, name, planned, imported, left, workers } = unit;
  return [
    tenant,
    name,
    stateOf(unit),
    ...[planned, imported, left].map(formatCount),
    quotaOf(unit),
    doneBy(unit),
    workers.join(' ') || '–',
  ];
}

function stateOf({ state, states, stages }: UnitOverview): string {
  const parts = Object.values(states).reduce((sum, count) => sum + count, 0);
  const word = state === 'running' ? stageWord(stages[0]) : state;
  if (parts === 1) return word;
  return `${word} ${states[state]}/${parts}`;
}

/** `sending`, `reading 40,000`. */
function stageWord(at: TurnProgress | undefined): string {
  if (!at) return 'running';
  const count = at.stage === 'Reading' && at.done > 0 ? ` ${formatCount(at.done)}` : '';
  return `${at.stage.toLowerCase()}${count}`;
}

function quotaOf({ quota, used, state }: UnitOverview): string {
  if (quota === null) return used > 0 ? `${formatCount(used)} a min` : '–';
  return state === 'done' ? '–' : `${formatCount(used)}/${formatCount(quota)} a min`;
}

function doneBy({ state, dueInMs, etaMs }: UnitOverview): string {
  if (state === 'done') return 'done';
  if (state === 'waiting' && dueInMs !== null && dueInMs > 1_000) return `next in ${formatDuration(dueInMs)}`;
  return etaMs === null ? '–' : formatDuration(etaMs);
}

const hints = {
  dead: (unit: string) => `put the cause right, then: chatferry fleet retry ${unit}`,
  stopped: (unit: string) => `somebody has to decide; then: chatferry fleet retry ${unit}`,
} as const;

function describeNeed(unit: UnitOverview): string[] {
  const id = `${unit.tenant}/${unit.name.split('#', 1)[0]}`;
  const hint =
    unit.state === 'dead' || unit.state === 'stopped'
      ? hints[unit.state](id)
      : `failed ${formatCount(unit.failures)} times, tried again`;
  return [`${id}: ${oneLine(unit.reason!)}`, `  ${hint}`];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number) =>
    atRight.has(columns[column]!) ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
}
