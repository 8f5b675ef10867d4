import type { Totals } from '../../model/totals.ts';
import type { Query } from './database.ts';

export type UnitState = 'waiting' | 'running' | 'done' | 'stopped' | 'dead' | 'paused';
export type UnitPhase = 'plan' | 'send' | 'done';

/** A job of chatferry.yaml, as its file has it: every scalar is text, and no key is in it. */
export interface UnitConfig {
  readonly job: Readonly<Record<string, unknown>>;
  /** Options of the top of the file. */
  readonly top: Readonly<Record<string, unknown>>;
  /** Base folder of its paths. */
  readonly folder: string;
  /** A job of a file is paused once it is there no more. */
  readonly from: 'config' | 'command';
}

/**
 * Messages of the whole store, as the lease that sends has them: `planned = imported + existing + failed + remaining`. What was there already counts as imported
 * while it sends, and is told apart when the lease has ended.
 */
export type SentMessages = Pick<Totals, 'planned' | 'imported' | 'existing' | 'failed'> & {
  readonly remaining: number;
};

/** Progress of a lease. Counts only. */
export interface LeaseProgress {
  /** As a person who watches reads it: Reading, Sending. */
  readonly stage: string;
  readonly done: number;
  readonly total?: number | undefined;
  readonly sent?: SentMessages | undefined;
  readonly waiting?: string | undefined;
}

export interface Unit {
  readonly id: string;
  readonly tenant: string;
  readonly config: UnitConfig;
  readonly address: string;
  readonly phase: UnitPhase;
  readonly state: UnitState;
  readonly dueAtMs: number | null;
  readonly epoch: number;
  readonly worker: string | null;
  readonly leases: number;
  /** Goes up whenever it is handed in with other settings. */
  readonly revision: number;
  readonly failures: number;
  readonly totals: Totals | null;
  readonly progress: LeaseProgress | null;
  readonly quota: number | null;
  readonly exit: number | null;
  readonly reason: string | null;
}

/** Times come as milliseconds: they are compared with no other clock. */
const columns = `id, tenant, config, address, phase, state, (extract(epoch FROM due_at) * 1000)::float8 AS "dueAtMs",
  epoch, worker, leases, revision, failures, totals, progress, quota, exit, reason`;

export const readUnit = async (query: Query, id: string): Promise<Unit | undefined> =>
  (await query<Unit>(`SELECT ${columns} FROM ferry.unit WHERE id = $1`, [id]))[0];

/** @param name Of a unit, or of a tenant; nothing for all. */
export const listUnits = (query: Query, name: string | undefined): Promise<readonly Unit[]> =>
  name === undefined
    ? query<Unit>(`SELECT ${columns} FROM ferry.unit ORDER BY tenant, id`)
    : query<Unit>(`SELECT ${columns} FROM ferry.unit WHERE id = $1 OR tenant = $1 ORDER BY tenant, id`, [name]);

export type NewUnit = Pick<Unit, 'id' | 'tenant' | 'config' | 'address' | 'quota'>;

/** @returns Whether it is new; one that is there has its configuration changed. */
export async function putUnit(query: Query, unit: NewUnit): Promise<boolean> {
  const [row] = await query<{ isNew: boolean }>(
    `INSERT INTO ferry.unit (id, tenant, config, address, quota, state, epoch)
     VALUES ($1, $2, $3, $4, $5, 'waiting', (SELECT epoch FROM ferry.fleet))
     ON CONFLICT (id) DO UPDATE SET config = excluded.config, address = excluded.address, quota = excluded.quota, changed_at = clock_timestamp()
     RETURNING xmax = 0 AS "isNew"`,
    [unit.id, unit.tenant, JSON.stringify(unit.config), unit.address, unit.quota],
  );
  return row!.isNew;
}

/** Sets the state and clears the due time: the caller that resumes the unit sends its next lease. */
export async function setState(query: Query, id: string, state: 'waiting' | 'paused', reason?: string): Promise<void> {
  await query(
    `UPDATE ferry.unit SET state = $2, due_at = NULL, changed_at = clock_timestamp(), reason = $3,
       failures = CASE WHEN $2 = 'waiting' THEN 0 ELSE failures END WHERE id = $1`,
    [id, state, reason ?? null],
  );
}

/** Gives up a unit that no worker has any more; one that was paused in the meantime stays paused. */
export async function buryUnit(query: Query, id: string, reason: string): Promise<void> {
  const [row] = await query<Pick<Unit, 'state'>>(
    `UPDATE ferry.unit SET worker = NULL, claim = NULL, progress = NULL, changed_at = clock_timestamp() WHERE id = $1 RETURNING state`,
    [id],
  );
  if (row?.state !== 'running' && row?.state !== 'waiting') return;
  await query(`UPDATE ferry.unit SET state = 'dead', due_at = NULL, reason = $2 WHERE id = $1`, [id, reason]);
}

/** Removes everything of a unit except its copies and its messages at the destination. */
export async function removeUnit(query: Query, id: string): Promise<void> {
  for (const table of ['copy', 'intent', 'lease']) await query(`DELETE FROM ferry.${table} WHERE unit = $1`, [id]);
  // Its last request may still be on its way: a unit of that name waits as any other does.
  await query(`UPDATE ferry.lane SET unit = '' WHERE unit = $1`, [id]);
  await query('DELETE FROM ferry.unit WHERE id = $1', [id]);
}

export interface UnitCopy {
  readonly number: number;
  readonly key: string;
  readonly sum: string;
  /** A bigint: text. */
  readonly mark: string;
  /** How long ago it was saved, in ms. */
  readonly agoMs: number;
  /** Epoch of the fleet when the copy was made. */
  readonly epoch: number;
}

/** Announces a copy of a unit without one, before it is written. @returns Whether the caller still has the unit. */
export async function announceCopy(query: Query, unit: string, claim: string, key: string): Promise<boolean> {
  const rows = await query(
    'UPDATE ferry.unit SET announced = announced || $3::text WHERE id = $1 AND claim = $2 RETURNING 1',
    [unit, claim, key],
  );
  return rows.length === 1;
}

/**
 * Returns the copies of a unit without a saved copy that are at the location and were never saved. Empty if a request
 * left: then a copy was saved.
 */
export async function listAnnounced(query: Query, unit: string): Promise<readonly string[]> {
  const [row] = await query<{ announced: readonly string[] }>(
    'SELECT announced FROM ferry.unit WHERE id = $1 AND NOT EXISTS (SELECT FROM ferry.intent WHERE unit = $1)',
    [unit],
  );
  return row?.announced ?? [];
}

/** The newest first. */
export const listCopies = (query: Query, unit: string): Promise<readonly UnitCopy[]> =>
  query<UnitCopy>(
    `SELECT number, key, sum, mark::text AS mark, epoch, (extract(epoch FROM clock_timestamp() - saved_at) * 1000)::float8 AS "agoMs"
     FROM ferry.copy WHERE unit = $1 ORDER BY number DESC`,
    [unit],
  );
