import type { FleetDatabase, Query } from './database.ts';

/** How far a database has come. One that is less far than somebody has seen it has lost commits. */
export interface DatabasePlace {
  readonly systemId: string;
  readonly timeline: number;
  /** Bytes of its log that are safe. */
  readonly flushed: bigint;
  readonly epoch: number;
}

export async function placeOf(query: Query): Promise<DatabasePlace> {
  const [row] = await query<{ systemId: string; timeline: number; flushed: string; epoch: number }>(
    `SELECT s.system_identifier::text AS "systemId", c.timeline_id AS timeline, f.epoch,
       CASE WHEN pg_is_in_recovery() THEN '0' ELSE (pg_current_wal_flush_lsn() - '0/0')::text END AS flushed
     FROM pg_control_system() s, pg_control_checkpoint() c, ferry.fleet f`,
  );
  return { ...row!, flushed: BigInt(row!.flushed) };
}

/** Whether commits are missing that were there when `seen` was looked at. */
export const isBehind = (now: DatabasePlace, seen: DatabasePlace): boolean =>
  now.systemId !== seen.systemId ||
  now.timeline !== seen.timeline ||
  now.flushed < seen.flushed ||
  now.epoch < seen.epoch;

/**
 * Notes that commits are missing: a restore, a failover. From here on no unit believes its list of intents, and the pace of every address begins
 * behind a whole window. Several that see it at once note it once.
 */
export async function noteLoss(database: FleetDatabase, seen: DatabasePlace): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT 1 FROM ferry.fleet FOR UPDATE');
    const now = await placeOf(query);
    const [known] = await query<{ timeline: number; systemId: string }>(
      'SELECT timeline, system_id AS "systemId" FROM ferry.fleet',
    );
    const isNoted = now.epoch > seen.epoch && known!.timeline === now.timeline && known!.systemId === now.systemId;
    if (isNoted) return;
    await query('UPDATE ferry.fleet SET epoch = $1, timeline = $2, system_id = $3, lost_at = clock_timestamp()', [
      Math.max(now.epoch, seen.epoch) + 1,
      now.timeline,
      now.systemId,
    ]);
    await query(`UPDATE ferry.slot SET next_at = greatest(next_at, clock_timestamp() + interval '61 s')`);
    // Who has a unit now may have had it in commits that are missing.
    await query('UPDATE ferry.unit SET claim = NULL WHERE claim IS NOT NULL');
  });
}
