import type { CellText, ServerClock } from '../database.ts';

type Answer = readonly (readonly CellText[])[];

export const clockSql = 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000';

/**
 * Age of the oldest transaction in InnoDB, in seconds; NULL if there is none. Its beginning is in the server's own time zone. Fails without
 * the right PROCESS.
 */
export const openTransactionSql = `
  SELECT TIMESTAMPDIFF(SECOND, MIN(trx_started), CONVERT_TZ(NOW(), @@SESSION.time_zone, 'SYSTEM'))
  FROM information_schema.INNODB_TRX`;

/** @param open Undefined if the role may not see transactions. */
export function clockOf(answer: Answer, open: Answer | undefined): ServerClock | undefined {
  const nowMs = Number(answer[0]?.[0] ?? Number.NaN);
  if (!Number.isFinite(nowMs)) return undefined;
  // Both times are cut to seconds.
  return { nowMs, ...(open && { openTransactionMs: (Number(open[0]?.[0] ?? -1) + 1) * 1000 }) };
}
