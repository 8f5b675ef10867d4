import type { Books } from '../model/books.ts';
import type { FleetDatabase } from './database/database.ts';
import { type TurnProgress, type UnitPhase, type UnitState, unitsOf } from './database/units.ts';

/** The fleet as it stands at one moment. */
export interface FleetOverview {
  readonly database: { readonly name: string; readonly ms: number };
  /** Whether the place for copies can be read; why not, in words. */
  readonly files: { readonly isUp: boolean; readonly words: string };
  readonly workers: readonly WorkerOverview[];
  readonly units: readonly UnitOverview[];
}

export interface WorkerOverview {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly turns: number;
  readonly running: number;
  /** Since it was last heard, in ms. */
  readonly silentMs: number;
  /** For so long that its units are being taken over. */
  readonly isSilent: boolean;
}

/** One unit, or the parts of an export together. */
export interface UnitOverview {
  readonly tenant: string;
  /** `slack`, or `slack#1..50`. */
  readonly name: string;
  readonly address: string;
  readonly state: UnitState;
  readonly phase: UnitPhase;
  /** How many parts are in which state, where there are several. */
  readonly states: Readonly<Partial<Record<UnitState, number>>>;
  readonly planned: number;
  readonly imported: number;
  /** Messages that are still to be sent or found out. */
  readonly left: number;
  readonly rejected: number;
  readonly refused: number;
  /** Requests a minute: allowed, and those of the last minute, of all units at its address. */
  readonly quota: number | null;
  readonly used: number;
  /** When its next turn is due, in ms from now, where it waits for it. */
  readonly dueInMs: number | null;
  /** How long what is left takes at the quota, in ms. */
  readonly etaMs: number | null;
  readonly workers: readonly string[];
  readonly turns: number;
  readonly failures: number;
  /** What the turns that run are at. */
  readonly stages: readonly TurnProgress[];
  readonly reason: string | null;
}

/** Messages of a request at most, for what is left: as the job says, or the public service has it. */
const perRequest = ({ config: { job } }: Row): number => Number(job.batchItems ?? 50);

/** @param name Of a unit, an export or a tenant; nothing for all. */
export async function fleetOverview(
  { name: databaseName, query }: FleetDatabase,
  {
    name,
    clock,
    heartbeatMs,
    files,
  }: {
    readonly name?: string | undefined;
    readonly clock: { monotonic(): number };
    readonly heartbeatMs: number;
    readonly files: () => Promise<string | undefined>;
  },
): Promise<FleetOverview> {
  const beganMs = clock.monotonic();
  const [now] = await query<{ ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
  const tookMs = clock.monotonic() - beganMs;
  const workers = await query<WorkerOverview>(
    `SELECT id, host, version, turns, running, (extract(epoch FROM clock_timestamp() - seen) * 1000)::float8 AS "silentMs",
       extract(epoch FROM clock_timestamp() - seen) * 1000 > $1::float8 AS "isSilent" FROM ferry.worker ORDER BY id`,
    [heartbeatMs],
  );
  const used = await query<{ address: string; count: number }>(
    `SELECT u.address, count(*)::int AS count FROM ferry.intent i JOIN ferry.unit u ON u.id = i.unit
     WHERE i.left_at > clock_timestamp() - interval '1 minute' AND cardinality(i.muids) > 0 GROUP BY 1`,
  );
  const usedAt = new Map(used.map(({ address, count }) => [address, count]));
  const units = await unitsOf(query, name);
  const byExport = Map.groupBy(units, (unit) => unit.export);
  const fault = await files();
  return {
    database: { name: databaseName, ms: tookMs },
    files: { isUp: fault === undefined, words: fault ?? 'ok' },
    workers,
    units: [...byExport.values()].map((parts) => overviewOf(parts, now!.ms, usedAt)),
  };
}

type Row = Awaited<ReturnType<typeof unitsOf>>[number];

function overviewOf(parts: readonly Row[], nowMs: number, usedAt: ReadonlyMap<string, number>): UnitOverview {
  const [first] = parts as readonly [Row];
  const sum = (count: (books: Books) => number) =>
    parts.reduce((all, { books }) => all + (books ? count(books) : 0), 0);
  const sent = parts.reduce((all, { progress }) => all + (progress?.sent?.done ?? 0), 0);
  const left = parts.reduce((all, part) => all + leftOf(part), 0);
  const imported = sum((books) => books.imported + books.present) + sent;
  const states = Object.fromEntries(
    [...Map.groupBy(parts, ({ state }) => state)].map(([state, those]) => [state, those.length]),
  );
  const worst = worstFirst.find((state) => states[state] !== undefined)!;
  const dueMs = parts.flatMap(({ state, dueAtMs }) => (state === 'waiting' && dueAtMs !== null ? [dueAtMs] : []));
  return {
    tenant: first.tenant,
    name: nameOf(first),
    address: first.address,
    state: worst,
    phase: phases.find((phase) => parts.some((part) => part.phase === phase))!,
    states,
    planned: Math.max(
      sum((books) => books.planned),
      imported + left,
    ),
    imported,
    left,
    rejected: sum(({ rejected }) => rejected),
    refused: sum(({ refused }) => refused),
    quota: first.quota,
    used: usedAt.get(first.address) ?? 0,
    dueInMs: dueMs.length === 0 ? null : Math.max(0, Math.min(...dueMs) - nowMs),
    etaMs: first.quota === null || left === 0 ? null : (Math.ceil(left / perRequest(first)) / first.quota) * 60_000,
    workers: [...new Set(parts.flatMap(({ worker }) => worker ?? []))],
    turns: parts.reduce((all, { turns }) => all + turns, 0),
    failures: Math.max(...parts.map(({ failures }) => failures)),
    stages: parts.flatMap(({ progress, state }) => (progress && state === 'running' ? [progress] : [])),
    reason: parts.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}

/** After its last turn, or as the one that runs has it. */
function leftOf({ books, progress }: Row): number {
  if (progress?.sent) return Math.max(0, progress.sent.total - progress.sent.done);
  return books ? books.pending + books.inDoubt : 0;
}

const nameOf = ({ export: id, tenant, parts }: Row): string =>
  `${id.slice(tenant.length + 1)}${parts === null ? '' : `#1..${parts}`}`;

/** What somebody should look at stands before what goes on. */
const worstFirst: readonly UnitState[] = ['dead', 'stopped', 'paused', 'running', 'waiting', 'done'];
const phases: readonly UnitPhase[] = ['plan', 'named', 'send', 'people', 'done'];
