import type { Database } from 'better-sqlite3';

/** Totals of a store for its only destination. Added up here, not by the code that sends. */
export interface StoreTotals {
  readonly pending: number;
  readonly unconfirmed: number;
  /** An error in the totals. */
  readonly complaint?: string;
}

interface Sums {
  readonly planned: number;
  readonly settled: number;
  readonly unconfirmed: number;
  readonly pending: number;
  readonly strange: number;
  readonly unproved: number;
}

/** Adds up the messages of a store. Every delivered message must have a batch, and every unconfirmed one an attempt of an open batch. */
export function totalsOf(db: Database): StoreTotals {
  const sums = db
    .prepare<[], Sums>(
      `SELECT count(*) AS planned,
         coalesce(sum(d.state IN ('imported', 'existing', 'failed')), 0) AS settled,
         coalesce(sum(d.state = 'sent'), 0) AS unconfirmed,
         coalesce(sum(d.state IS NULL OR d.state = 'pending'), 0) AS pending,
         coalesce(sum(d.state NOT IN ('imported', 'existing', 'failed', 'sent', 'pending')), 0) AS strange,
         coalesce(sum(d.state = 'sent' AND NOT EXISTS (
           SELECT 1 FROM batch b JOIN attempt a ON a.batch = b.id WHERE b.id = d.batch AND b.state = 'open')), 0) AS unproved
       FROM message m LEFT JOIN delivery d ON d.message = m.seq WHERE m.verdict = 'planned'`,
    )
    .get()!;
  const { planned, settled, pending, unconfirmed, strange, unproved } = sums;
  const isBalanced = planned === settled + pending + unconfirmed && strange === 0 && unproved === 0;
  return {
    pending,
    unconfirmed,
    ...(!isBalanced && { complaint: `The books do not balance: ${JSON.stringify(sums)}` }),
  };
}

/** Ids, in the export, of the messages that the store names as late. */
export function lateIds(db: Database): string[] {
  return db
    .prepare<[], string>('SELECT m.origin_id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1')
    .pluck()
    .all();
}

/** Ids, in the export, of the messages in one of these states. */
export function idsIn(db: Database, ...states: readonly string[]): string[] {
  return db
    .prepare<string[], string>(
      `SELECT m.origin_id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.state IN (${states.map(() => '?').join(', ')})`,
    )
    .pluck()
    .all(...states);
}

/** As if what is unconfirmed had never been written down. */
export function forgetIntents(db: Database): void {
  db.exec(`DELETE FROM delivery WHERE state = 'sent'; UPDATE batch SET state = 'closed'`);
}
