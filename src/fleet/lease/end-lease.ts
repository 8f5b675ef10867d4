import type { Totals } from '../../model/totals.ts';
import type { FleetDatabase, Query } from '../database/database.ts';
import { endLease, type NextLease, sendLease, type LeaseEnd } from '../database/leases.ts';
import type { Unit } from '../database/units.ts';
import type { Engine } from '../work/engine.ts';
import { UnitLost } from '../work/unit-lost.ts';
import { stopCode } from './after-lease.ts';
import type { UnitRun } from './run-unit.ts';
import type { LeaseRequest } from './lease-request.ts';

export interface Finished {
  readonly run: UnitRun;
  readonly next: NextLease;
  readonly totals: Totals | null;
}

/**
 * Ends a lease and begins the next one, in one commit: a reader sees either the one or the other.
 *
 * @throws UnitLost; then nothing of it is written.
 */
export async function finishLease(
  { claim, token, unit, lease }: Pick<LeaseRequest, 'claim' | 'token' | 'unit' | 'lease'>,
  { database, engine }: { readonly database: FleetDatabase; readonly engine: Engine },
  { run, next: wanted, totals }: Finished,
): Promise<Pick<LeaseEnd, 'exit' | 'state' | 'reason'>> {
  const { exit, stopped, ...counts } = run.result;
  const result = { stopped: stopCode(stopped), ...pickCounts(counts) };
  return await database.transaction(async (query) => {
    await assertHeld(query, claim, token);
    const next = (await findChangedLease(query, unit)) ?? wanted;
    const { state } = await endLease(query, unit.id, lease.number, { exit, ...next, totals, result });
    if (!(await engine.complete(claim, query))) throw new UnitLost(`"${unit.id}" is another worker's by now`);
    if (state === 'waiting') await sendLease(query, engine, { unit, group: unit.address, afterMs: next.afterMs });
    return { exit, state, reason: next.reason };
  });
}

/**
 * Returns the next lease under new settings if the unit was submitted with other settings since its lease began. It runs
 * when it is due by those.
 */
async function findChangedLease(query: Query, { id, revision }: Unit): Promise<NextLease | undefined> {
  const [row] = await query<{ ms: number | null }>(
    `SELECT greatest(0, extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS ms FROM ferry.unit WHERE id = $1 AND revision <> $2`,
    [id, revision],
  );
  return row && { state: 'waiting', phase: 'plan', afterMs: row.ms ?? 0, failures: 0, reason: null };
}

/** Messages and requests; no report's path, no words. */
const pickCounts = (counts: object): object =>
  Object.fromEntries(
    Object.entries(counts).filter(([name]) => ['added', 'remaining', 'requests', 'verify'].includes(name)),
  );

async function assertHeld(query: Query, { job, attempt, unit }: LeaseRequest['claim'], token: string): Promise<void> {
  const [row] = await query<{ ms: number | null }>('SELECT ferry.holds($1, $2, $3, $4) AS ms', [
    job,
    attempt,
    unit,
    token,
  ]);
  if (row!.ms === null) throw new UnitLost(`"${unit}" is another worker's by now`);
}
