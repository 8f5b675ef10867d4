import type { CellText, ServerClock } from '../database.ts';

type Answer = readonly (readonly CellText[])[];

/**
 * The time, and the age of the oldest transaction of others in this database, in ms; NULL if the role may not see when sessions of others began, and
 * on a standby, which does not see those of its primary.
 *
 * A transaction that has only read so far may still write, and `now()` in it is its beginning: each counts.
 */
export const clockSql = `
  SELECT extract(epoch FROM pg_catalog.clock_timestamp()) * 1000,
    CASE WHEN pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE') AND NOT pg_catalog.pg_is_in_recovery() THEN coalesce((
      SELECT extract(epoch FROM pg_catalog.clock_timestamp() - min(began)) * 1000 FROM (
        SELECT xact_start AS began FROM pg_catalog.pg_stat_activity
        WHERE datname = pg_catalog.current_database() AND pid <> pg_catalog.pg_backend_pid()
        UNION ALL SELECT prepared FROM pg_catalog.pg_prepared_xacts WHERE database = pg_catalog.current_database()) AS open), 0) END`;

/** Nothing if the server did not say. */
export function clockOf(answer: Answer): ServerClock | undefined {
  const [now, age] = answer[0] ?? [];
  const nowMs = Number(now ?? Number.NaN);
  if (!Number.isFinite(nowMs)) return undefined;
  return { nowMs, ...(age != null && { openTransactionMs: Math.ceil(Number(age)) }) };
}
