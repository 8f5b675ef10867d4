import { UsageError } from '../lib/errors.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import { type LeaseProgress, type Unit, listUnits } from './database/units.ts';
import { overviewer, type SeenUnit, type UnitOverview, type UnitLeases } from './watch/unit-overview.ts';
import type { FleetCheck } from './watch/metrics.ts';

export type { LeaseProgress };

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
  readonly leases: number;
  /** Units that it works on: none if it is silent. */
  readonly running: number;
  readonly silentMs: number;
  /** For so long that its units are another's to take. */
  readonly isSilent: boolean;
  /** Units of a silent worker that no other worker has taken over yet. */
  readonly waiting: number;
}

/** A silent worker that has nothing any more is shown for so long, in ms. */
const shownMs = 600_000;

export interface OverviewOptions {
  /** A tenant or a unit; all of them if absent. */
  readonly name?: string | undefined;
  readonly clock: { monotonic(): number };
  readonly heartbeatMs: number;
  readonly files: () => Promise<string | undefined>;
}

/** @throws UsageError if nothing has that name */
export async function fleetOverview(
  { name: databaseName, query }: FleetDatabase,
  { name, clock, heartbeatMs, files }: OverviewOptions,
): Promise<FleetOverview> {
  const beganMs = clock.monotonic();
  const [now] = await query<{ ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
  const tookMs = clock.monotonic() - beganMs;
  // All of them: those of others share destinations and workers with what is asked for.
  const all = await listUnits(query, undefined);
  const found = await readWorkers(query, all, heartbeatMs);
  const workers = found.filter(({ isSilent, silentMs, waiting }) => !isSilent || waiting > 0 || silentMs <= shownMs);
  const silent = new Set(workers.flatMap(({ id, isSilent }) => (isSilent ? [id] : [])));
  const units = all.map((unit) => asSeen(unit, silent));
  const toOverview = overviewer({
    nowMs: now!.ms,
    units,
    workers,
    used: await usedAt(query),
    learned: await learnedAt(query),
    leases: await readLeases(query),
  });
  const fault = await files();
  return {
    database: { name: databaseName, ms: tookMs },
    files: { isUp: fault === undefined, words: fault ?? 'ok' },
    workers,
    units: named(units, name).map(toOverview),
  };
}

function named(units: readonly SeenUnit[], name: string | undefined): readonly SeenUnit[] {
  if (name === undefined) return units;
  const found = units.filter((unit) => unit.tenant === name || unit.id === name);
  if (found.length === 0) throw noTenant(name, [...new Set(units.map(({ tenant }) => tenant))]);
  return found;
}

const tenantsShown = 5;

function noTenant(name: string, tenants: readonly string[]): UsageError {
  const others = tenants.length > tenantsShown ? `, and ${tenants.length - tenantsShown} more` : '';
  return new UsageError(`Cannot show "${name}": there is no such tenant`, {
    hint:
      tenants.length === 0
        ? 'There are no units yet: chatferry submit EXPORT --tenant NAME --to ADDRESS'
        : `Tenants: ${tenants.slice(0, tenantsShown).join(', ')}${others}`,
  });
}

/** Returns a unit as it counts: one under a silent worker waits for another worker, whatever its row contains. */
function asSeen(unit: Unit, silent: ReadonlySet<string>): SeenUnit {
  if (unit.worker === null || !silent.has(unit.worker)) return { ...unit, isLost: false };
  if (unit.state !== 'running') return { ...unit, worker: null, isLost: false };
  return { ...unit, worker: null, state: 'waiting', dueAtMs: null, isLost: true };
}

async function readWorkers(query: Query, units: readonly Unit[], heartbeatMs: number): Promise<WorkerOverview[]> {
  const rows = await query<Omit<WorkerOverview, 'running' | 'waiting'>>(
    `SELECT id, host, version, leases, (extract(epoch FROM clock_timestamp() - seen) * 1000)::float8 AS "silentMs",
       extract(epoch FROM clock_timestamp() - seen) * 1000 > $1::float8 AS "isSilent" FROM ferry.worker ORDER BY id`,
    [heartbeatMs],
  );
  const held = Map.groupBy(units, ({ worker }) => worker);
  return rows.map((row) => {
    const units = held.get(row.id) ?? [];
    if (!row.isSilent) return { ...row, running: units.length, waiting: 0 };
    return { ...row, running: 0, waiting: units.filter(({ state }) => state === 'running').length };
  });
}

/** Returns which of the units belong to a silent worker: it receives no command for them. */
export async function silentlyHeld(
  query: Query,
  units: readonly string[],
  heartbeatMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(
    `SELECT u.id FROM ferry.unit u JOIN ferry.worker w ON w.id = u.worker
     WHERE u.id = ANY($1) AND extract(epoch FROM clock_timestamp() - w.seen) * 1000 > $2::float8`,
    [units, heartbeatMs],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Requests of the last minute, by address. */
async function usedAt(query: Query): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ address: string; count: number }>(
    `SELECT u.address, count(*)::int AS count FROM ferry.intent i JOIN ferry.unit u ON u.id = i.unit
     WHERE i.left_at > clock_timestamp() - interval '1 minute' AND cardinality(i.muids) > 0 GROUP BY 1`,
  );
  return new Map(rows.map(({ address, count }) => [address, count]));
}

/** Requests a minute that destinations have said they take, by address. */
async function learnedAt(query: Query): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ key: string; learned: number }>(
    `SELECT key, learned FROM ferry.slot WHERE learned IS NOT NULL AND key LIKE '% import'`,
  );
  return new Map(rows.map(({ key, learned }) => [key.replace(/ import$/, ''), learned]));
}

/** By unit; of one with more than 200 leases the last 200 are known. */
async function readLeases(query: Query): Promise<ReadonlyMap<string, UnitLeases>> {
  // The one that runs has not failed: it is not the last one.
  const rows = await query<UnitLeases & { readonly unit: string }>(
    `SELECT unit, takeovers, ${agoMs('began')} AS "startedAgoMs", ${agoMs('ended')} AS "endedAgoMs",
       last ->> 'worker' AS "lastWorker", ${agoMs(`(last ->> 'ended')::timestamptz`)} AS "lastEndedAgoMs"
     FROM (SELECT t.unit, count(*) FILTER (WHERE t.attempt > 0)::int AS takeovers, min(t.began) AS began, max(t.ended) AS ended,
         (array_agg(jsonb_build_object('worker', t.worker, 'ended', t.ended) ORDER BY t.number DESC)
           FILTER (WHERE t.ended IS NOT NULL OR u.state <> 'running'))[1] AS last
       FROM ferry.lease t JOIN ferry.unit u ON u.id = t.unit GROUP BY 1) leases`,
  );
  return new Map(rows.map(({ unit, ...leases }) => [unit, leases]));
}

const agoMs = (time: string): string => `(extract(epoch FROM statement_timestamp() - ${time}) * 1000)::float8`;

/** Reads the facts about the whole fleet that only the database has, for the metrics of a worker. */
export async function checkFleet(query: Query): Promise<FleetCheck> {
  const units = await query<FleetCheck['units'][number]>(
    'SELECT tenant, state, count(*)::int AS count FROM ferry.unit GROUP BY 1, 2 ORDER BY 1, 2',
  );
  const addresses = await query<FleetCheck['addresses'][number]>(
    `SELECT u.address, coalesce(max(u.quota), 0) AS quota, coalesce(max(i.count), 0)::int AS used FROM ferry.unit u LEFT JOIN (
       SELECT x.address, count(*) AS count FROM ferry.intent n JOIN ferry.unit x ON x.id = n.unit
       WHERE n.left_at > clock_timestamp() - interval '1 minute' AND cardinality(n.muids) > 0 GROUP BY 1) i ON i.address = u.address
     GROUP BY 1 ORDER BY 1`,
  );
  return { units, addresses };
}

/** Whether anybody works. @param heartbeatMs Who is silent for longer does not. */
export async function hasWorkers(query: Query, heartbeatMs: number): Promise<boolean> {
  const rows = await query(
    `SELECT 1 FROM ferry.worker WHERE seen > clock_timestamp() - $1::float8 * interval '1 ms' LIMIT 1`,
    [heartbeatMs],
  );
  return rows.length > 0;
}
