import type { Database } from 'better-sqlite3';

/** What the books say of a destination where a run has nothing to say: all of it is of earlier runs too. */
export interface Arrivals {
  /**
   * When a request ended, whatever became of it, in the latest run that had one of which something arrived; in epoch ms. Nothing where
   * nothing ever did.
   */
  readonly latestMs: () => number | undefined;
  /** Of the messages of which something is known, the share that was refused. Goes through all of them. */
  readonly refusedShare: () => number;
  /** Whether a request with this message arrived without it: others of it did. */
  readonly wasLeftOut: (message: number) => boolean;
  /** The latest request with this message, by its batch. The greater, the later; 0 where there was none. */
  readonly latestBatch: (message: number) => number;
}

export function arrivalsAt(db: Database, destination: number): Arrivals {
  const hasArrived = (batch: string) =>
    `EXISTS (SELECT 1 FROM delivery d WHERE d.batch = ${batch} AND d.state = 'imported')`;
  const latest = db
    .prepare<[number], number | null>(
      `SELECT max(a.ended_at) FROM (
         SELECT b.id, b.run FROM batch b WHERE b.destination = ? AND b.bytes > 0 AND ${hasArrived('b.id')} ORDER BY b.id DESC LIMIT 1) latest
       JOIN batch b ON b.id >= latest.id AND b.run = latest.run JOIN attempt a ON a.batch = b.id`,
    )
    .pluck();
  const refusedShare = db
    .prepare<[number], number | null>(
      `SELECT avg(state = 'refused') FROM delivery WHERE destination = ? AND state IN ('imported', 'present', 'refused')`,
    )
    .pluck();
  const leftOut = db
    .prepare<[number, number, number, number], number>(
      `SELECT EXISTS (SELECT 1 FROM (
         SELECT batch FROM delivery WHERE destination = ? AND message = ?
         UNION SELECT batch FROM delivery_history WHERE destination = ? AND message = ?) of WHERE ${hasArrived('of.batch')})`,
    )
    .pluck();
  const latestBatch = db
    .prepare<[number, number], number>('SELECT batch FROM delivery WHERE destination = ? AND message = ?')
    .pluck();
  return {
    latestMs: () => latest.get(destination) ?? undefined,
    refusedShare: () => refusedShare.get(destination) ?? 0,
    wasLeftOut: (message) => leftOut.get(destination, message, destination, message) === 1,
    latestBatch: (message) => latestBatch.get(destination, message) ?? 0,
  };
}
