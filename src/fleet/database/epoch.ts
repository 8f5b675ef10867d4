import type { FleetDatabase, Query } from './database.ts';

/** Position of a database in its history. A database that is behind a position seen earlier has lost commits. */
export interface DatabasePlace {
  readonly systemId: string;
  readonly timeline: number;
  /** Bytes of its log that are safe. */
  readonly flushed: bigint;
  readonly epoch: number;
}

/** A place as a server has it now. */
export interface FoundPlace extends DatabasePlace {
  /**
   * Whether the fleet was recorded at another server, or before another took over: this one was restored or promoted,
   * and that has not been recorded yet.
   */
  readonly isElsewhere: boolean;
}

/** The timeline in the control file is that of the last checkpoint: a server that was just promoted has another by then. */
const timeline = `CASE WHEN pg_is_in_recovery() THEN c.timeline_id
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END`;

export async function readPlace(query: Query): Promise<FoundPlace> {
  const [row] = await query<{
    systemId: string;
    timeline: number;
    flushed: string;
    epoch: number;
    isElsewhere: boolean;
  }>(
    `SELECT "systemId", timeline, flushed, epoch, "knownSystemId" <> "systemId" OR "knownTimeline" <> timeline AS "isElsewhere" FROM (
       SELECT s.system_identifier::text AS "systemId", ${timeline} AS timeline, f.epoch, f.system_id AS "knownSystemId", f.timeline AS "knownTimeline",
         CASE WHEN pg_is_in_recovery() THEN '0' ELSE (pg_current_wal_flush_lsn() - '0/0')::text END AS flushed
       FROM pg_control_system() s, pg_control_checkpoint() c, ferry.fleet f) place`,
  );
  return { ...row!, flushed: BigInt(row!.flushed) };
}

/** Whether commits that existed when `seen` was read are missing, or may be: the position may not have been read since. */
export const isBehind = (now: FoundPlace, seen: DatabasePlace | undefined): boolean =>
  now.isElsewhere ||
  (seen !== undefined &&
    (now.systemId !== seen.systemId ||
      now.timeline !== seen.timeline ||
      now.flushed < seen.flushed ||
      now.epoch < seen.epoch));

/**
 * Records that commits are missing: a restore, a failover. From here on no unit trusts its list of intents, and the
 * pace of every address begins after a whole window. If several processes notice it at once, it is recorded once.
 *
 * @param seen Position ahead of the current one; undefined if the server is not the one that the fleet was recorded at.
 */
export async function noteLoss(database: FleetDatabase, seen: DatabasePlace | undefined): Promise<void> {
  await database.transaction(async (query) => {
    await query('SELECT 1 FROM ferry.fleet FOR UPDATE');
    const now = await readPlace(query);
    if (!now.isElsewhere && (seen === undefined || now.epoch > seen.epoch)) return;
    await query('UPDATE ferry.fleet SET epoch = $1, timeline = $2, system_id = $3, lost_at = clock_timestamp()', [
      Math.max(now.epoch, seen?.epoch ?? 0) + 1,
      now.timeline,
      now.systemId,
    ]);
    await query(`UPDATE ferry.slot SET next_at = greatest(next_at, clock_timestamp() + interval '61 s')`);
    // Who has a unit now may have had it in commits that are missing.
    await query('UPDATE ferry.unit SET claim = NULL WHERE claim IS NOT NULL');
  });
}
