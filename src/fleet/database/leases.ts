import type { Totals } from '../../model/totals.ts';
import type { Claim, Engine, NextLease as NextJob } from '../work/engine.ts';
import type { Query } from './database.ts';
import type { LeaseProgress, Unit, UnitPhase, UnitState } from './units.ts';

export interface BegunLease {
  readonly number: number;
  readonly epoch: number;
  /** Whether the database lost commits since the unit's last copy: requests that left in the meantime are unknown here. */
  readonly isLost: boolean;
  /** How long ago that was seen, in ms. */
  readonly lostAgoMs: number;
}

/**
 * Records the place of a lease, so that leases sent from now on come after it. Call it before any unit is touched: a loss
 * is recorded in the same order.
 */
export async function notePlace(query: Query, place: number): Promise<void> {
  await query('SELECT 1 FROM ferry.fleet FOR NO KEY UPDATE');
  if (place < laterPlace) await query('UPDATE ferry.fleet SET place = $1 WHERE place < $1', [place]);
}

/** Place of a lease that is sent for later, until it is due: `ferry.place_due`. */
const laterPlace = 2 ** 30;

interface LeaseToSend extends Pick<NextJob, 'group' | 'afterMs'> {
  readonly unit: Pick<Unit, 'id' | 'tenant'>;
}

/** Sends the next lease of a unit, unless it has one, behind what its tenant has sent already. */
export async function sendLease(
  query: Query,
  engine: Engine,
  { unit, group, afterMs = 0 }: LeaseToSend,
): Promise<void> {
  if (afterMs > 0) await engine.send({ unit: unit.id, group, afterMs, place: laterPlace }, query);
  else await engine.send({ unit: unit.id, group, place: await nextPlace(query, unit.tenant) }, query);
}

async function nextPlace(query: Query, tenant: string): Promise<number> {
  const [row] = await query<{ place: number }>('SELECT ferry.next_place($1) AS place', [tenant]);
  return row!.place;
}

/** Takes the unit for a claim. @returns Undefined if the unit is not to run: paused, dropped, done. */
export async function beginLease(
  query: Query,
  { job, attempt, unit }: Claim,
  claim: string,
  worker: string,
): Promise<BegunLease | undefined> {
  const [row] = await query<BegunLease>(
    `UPDATE ferry.unit u SET claim = $2, worker = $3, state = 'running', leases = leases + 1, changed_at = clock_timestamp() FROM ferry.fleet f
     WHERE u.id = $1 AND u.state IN ('waiting', 'running')
     RETURNING u.leases AS number, f.epoch, u.epoch <> f.epoch AS "isLost",
       (extract(epoch FROM clock_timestamp() - coalesce(f.lost_at, 'epoch')) * 1000)::float8 AS "lostAgoMs"`,
    [unit, claim, worker],
  );
  if (!row) {
    // Its worker may have died behind a pause.
    await query('UPDATE ferry.unit SET claim = NULL, worker = NULL WHERE id = $1', [unit]);
    return undefined;
  }
  await query(
    `INSERT INTO ferry.lease (unit, number, job, attempt, worker) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (unit, number) DO NOTHING`,
    [unit, row.number, job, attempt, worker],
  );
  await query('DELETE FROM ferry.lease WHERE unit = $1 AND number <= $2', [unit, row.number - leasesKept]);
  return row;
}

const leasesKept = 200;

export interface LeaseEnd {
  readonly exit: number;
  readonly state: UnitState;
  readonly phase: UnitPhase;
  /** Time until its next lease is due, from now in ms; undefined if there is none. */
  readonly afterMs: number | undefined;
  readonly failures: number;
  readonly reason: string | null;
  readonly totals: Totals | null;
  /** Counts only. */
  readonly result: object;
}

export type NextLease = Pick<LeaseEnd, 'state' | 'phase' | 'afterMs' | 'failures' | 'reason'>;

/**
 * Records the result of a lease, in the transaction that ends it. A pause that arrived in the meantime stays. Without
 * totals, the last reported progress stays.
 */
export async function endLease(
  query: Query,
  unit: string,
  number: number,
  end: LeaseEnd,
): Promise<Pick<Unit, 'state'>> {
  const { exit, state, phase, afterMs, failures, reason, totals, result } = end;
  await query(
    'UPDATE ferry.lease SET ended = clock_timestamp(), exit = $3, result = $4 WHERE unit = $1 AND number = $2',
    [unit, number, exit, JSON.stringify(result)],
  );
  const [row] = await query<Pick<Unit, 'state'>>(
    `UPDATE ferry.unit SET state = CASE WHEN state = 'paused' AND $2 = 'waiting' THEN 'paused' ELSE $2 END, phase = $3,
       due_at = clock_timestamp() + $4::float8 * interval '1 ms', failures = $5,
       reason = CASE WHEN state = 'paused' AND $2 = 'waiting' THEN reason ELSE $6 END, totals = coalesce($7, totals), exit = $8,
       claim = NULL, worker = NULL, progress = CASE WHEN $7::jsonb IS NULL THEN progress END, changed_at = clock_timestamp() WHERE id = $1 RETURNING state`,
    [unit, state, phase, afterMs ?? null, failures, reason, totals && JSON.stringify(totals), exit],
  );
  return row!;
}

/**
 * Records the progress of a worker's leases. Writes nothing for a unit that another worker has by now. The message
 * counts that a killed lease reported stay until the next lease has counted them.
 */
export async function noteProgress(
  query: Query,
  at: readonly { readonly unit: string; readonly token: string; readonly progress: LeaseProgress }[],
): Promise<void> {
  if (at.length === 0) return;
  await query(
    `UPDATE ferry.unit u SET progress = jsonb_strip_nulls(jsonb_build_object('sent', u.progress -> 'sent')) || t.progress::jsonb
     FROM unnest($1::text[], $2::uuid[], $3::text[]) AS t (unit, claim, progress)
     WHERE u.id = t.unit AND u.claim = t.claim`,
    [at.map(({ unit }) => unit), at.map(({ token }) => token), at.map(({ progress }) => JSON.stringify(progress))],
  );
}
