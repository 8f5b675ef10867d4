import type { CellText, ServerClock } from '../database.ts';

type Answer = readonly (readonly CellText[])[];

/**
 * The time, and the age of the oldest transaction of others in this database, in ms; NULL if the role may not see when sessions of others began.
 *
 * A transaction that has only read so far may still write, and `now()` in it is its beginning: each counts. Prepared transactions are not seen.
 */
export const clockSql = `
  SELECT extract(epoch FROM pg_catalog.clock_timestamp()) * 1000,
    CASE WHEN pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE') THEN coalesce((
      SELECT extract(epoch FROM pg_catalog.clock_timestamp() - min(xact_start)) * 1000
      FROM pg_catalog.pg_stat_activity
      WHERE datname = pg_catalog.current_database() AND pid <> pg_catalog.pg_backend_pid()), 0) END`;

/** Nothing if the server did not say. */
export function clockOf(answer: Answer): ServerClock | undefined {
  const [now, age] = answer[0] ?? [];
  const nowMs = Number(now ?? Number.NaN);
  if (!Number.isFinite(nowMs)) return undefined;
  return { nowMs, ...(age != null && { openTransactionMs: Math.ceil(Number(age)) }) };
}
