import type { Database } from 'better-sqlite3';
import { isPending } from './next-rows.ts';

/** Answers of a destination so far; parts of a split text are counted once. */
export interface Refusals {
  /** With the code in question. */
  readonly failed: number;
  readonly arrived: number;
  readonly pending: number;
  /** Pending messages that are old. */
  readonly pendingOld: number;
}

/** The same, and whether age may be the reason. */
export interface RefusalsByAge extends Refusals {
  /** Every refused message is old, and none that arrived. */
  readonly isOfTheOld: boolean;
}

/** Goes through all messages once: for the end of a run. @param oldBeforeMs What was sent before this is old. */
export function countRefusals(
  db: Database,
  {
    destination,
    code,
    oldBeforeMs,
  }: { readonly destination: number; readonly code: string; readonly oldBeforeMs: number },
): RefusalsByAge {
  const row = db
    .prepare<object, Refusals & { readonly refusedYoung: number; readonly arrivedOld: number }>(
      `SELECT count(*) FILTER (WHERE is_refused) AS failed, count(*) FILTER (WHERE is_refused AND NOT is_old) AS refusedYoung,
         count(*) FILTER (WHERE has_arrived) AS arrived, count(*) FILTER (WHERE has_arrived AND is_old) AS arrivedOld,
         count(*) FILTER (WHERE is_pending) AS pending, count(*) FILTER (WHERE is_pending AND is_old) AS pendingOld
       FROM (SELECT coalesce(d.state = 'failed' AND d.code = @code, 0) AS is_refused,
               coalesce(d.state IN ('imported', 'existing'), 0) AS has_arrived, ${isPending} AS is_pending,
               m.sent_at < @oldBeforeMs AS is_old
             FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
             WHERE m.verdict = 'planned' AND m.vanished = 0 AND coalesce(m.part, 1) = 1)`,
    )
    .get({ destination, code, oldBeforeMs })!;
  const { refusedYoung, arrivedOld, ...counts } = row;
  return { ...counts, isOfTheOld: refusedYoung === 0 && arrivedOld === 0 };
}
