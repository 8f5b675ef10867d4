import type { FleetOverview, LeaseProgress, WorkerOverview } from '../../fleet/fleet-overview.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { countOf, formatCount } from '../../report/format.ts';

type UnitOverview = FleetOverview['units'][number];
type WaitsFor = NonNullable<UnitOverview['waitsFor']>;

export function describeFleet({ database, files, workers, units }: FleetOverview): string {
  const alive = workers.filter(({ isSilent }) => !isSilent);
  const running = alive.reduce((sum, worker) => sum + worker.running, 0);
  const head = `${countOf(alive.length, 'worker')}, ${countOf(running, 'lease')} running   database ${Math.ceil(database.ms)} ms, files ${oneLine(files.words)}`;
  const silent = workers.filter(({ isSilent }) => isSilent).map((worker) => describeSilent(worker, alive.length > 0));
  if (units.length === 0)
    return [head, ...silent, '', 'No units yet: chatferry submit EXPORT --tenant NAME --to ADDRESS'].join('\n');
  const needs = units.flatMap(describeNeed);
  if (alive.length === 0 && units.some(({ state }) => state === 'waiting'))
    needs.push('No worker runs: start one with chatferry worker');
  return [
    ...[head, ...silent, ''],
    ...table([columns, ...units.map(toRow)]),
    ...(needs.length > 0 ? ['', ...needs] : []),
  ].join('\n');
}

function describeSilent({ id, silentMs, waiting }: WorkerOverview, isAnyAlive: boolean): string {
  const silent = `Silent    ${id}, for ${formatDuration(silentMs)}`;
  if (waiting === 0) return silent;
  const units = `${countOf(waiting, 'unit')} of it ${waiting === 1 ? 'waits' : 'wait'}`;
  return `${silent}: ${units} ${isAnyAlive ? 'for a free lease of another worker' : 'for another worker, and none runs'}`;
}

const columns = ['TENANT', 'UNIT', 'STATE', 'PLANNED', 'IMPORTED', 'REMAINING', 'QUOTA', 'TIME LEFT', 'WORKER'];
const atRight: ReadonlySet<string> = new Set(['PLANNED', 'IMPORTED', 'REMAINING']);

function toRow(unit: UnitOverview): string[] {
  const { tenant, name, isPlanned, planned, imported, existing, remaining, worker } = unit;
  return [
    tenant,
    name,
    formatState(unit),
    ...[planned, imported + existing, remaining].map((count) => (isPlanned ? formatCount(count) : '–')),
    formatQuota(unit),
    formatTimeLeft(unit),
    worker ?? '–',
  ];
}

function formatState({ state, stage, waitsFor }: UnitOverview): string {
  if (state === 'running') return stageWord(stage);
  return waitsFor ? `waits: ${waitWords[waitsFor]}` : state;
}

const waitWords: Readonly<Record<WaitsFor, string>> = {
  takeover: 'its worker is silent',
  worker: 'no worker runs',
  destination: 'two others at its destination run',
  lease: 'no free lease',
};

/** `sending`, `reading 40,000`. */
function stageWord(at: LeaseProgress | null): string {
  if (!at) return 'running';
  const count = at.stage === 'Reading' && at.done > 0 ? ` ${formatCount(at.done)}` : '';
  return `${at.stage.toLowerCase()}${count}`;
}

function formatQuota({ quota, used, state }: UnitOverview): string {
  if (quota === null) return used > 0 ? `${formatCount(used)} a min, no limit known` : '–';
  return state === 'done' ? '–' : `${formatCount(used)}/${formatCount(quota)} a min`;
}

function formatTimeLeft({ state, dueInMs, etaMs }: UnitOverview): string {
  if (state === 'waiting' && isLater(dueInMs)) return `next in ${formatDuration(dueInMs)}`;
  return etaMs === null ? '–' : formatDuration(etaMs);
}

function listHints({ state, failures, dueInMs }: UnitOverview, id: string): string[] {
  if (state === 'dead') return [`put the cause right, then: chatferry fleet retry ${id}`];
  if (state === 'stopped') return [`needs your decision; then run: chatferry fleet retry ${id}`];
  if (state === 'paused') return [`it rests until: chatferry fleet resume ${id}`];
  if (failures === 0) return [];
  const failed = `failed ${countOf(failures, 'time')}, tried again`;
  if (state === 'running') return [`${failed} now`];
  return [
    isLater(dueInMs)
      ? `${failed} in ${formatDuration(dueInMs)}; to retry now, run: chatferry fleet retry ${id}`
      : failed,
  ];
}

/** A unit that is due within a second counts as due. */
const isLater = (dueInMs: number | null): dueInMs is number => dueInMs !== null && dueInMs > 1_000;

function describeNeed(unit: UnitOverview): string[] {
  const { tenant, name, state, reason, lastLease } = unit;
  if (reason === null) return [];
  const id = `${tenant}/${name}`;
  // The log has no entry for a paused unit.
  const where = lastLease && state !== 'paused' ? [describeLastLease(lastLease)] : [];
  return [`${id}: ${oneLine(reason)}`, ...[...where, ...listHints(unit, id)].map((line) => `  ${line}`)];
}

function describeLastLease({ worker, endedAgoMs }: NonNullable<UnitOverview['lastLease']>): string {
  const lease = `its last lease was on ${oneLine(worker)}`;
  return endedAgoMs === null ? `${lease}, which died with it` : `${lease}, and ended ${formatDuration(endedAgoMs)} ago`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number) =>
    atRight.has(columns[column]!) ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
}
