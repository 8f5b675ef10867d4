import type { Database } from 'better-sqlite3';

/** Whether nothing was ever staged, nor any file begun: everything is appended, to tables without indexes. */
export const isUnplanned = (db: Database): boolean =>
  db.prepare('SELECT 1 FROM message UNION ALL SELECT 1 FROM source_file LIMIT 1').get() === undefined;

/**
 * Writes what a plan stages, in transactions that follow one another without a gap; what the one that is open has of it goes
 * where the work fails.
 *
 * @param work Gets `commit`, which commits what was written so far.
 */
export async function inStagingTransactions<Result>(
  db: Database,
  work: (commit: () => void) => Promise<Result>,
): Promise<Result> {
  // Nothing is sent meanwhile: what a power cut takes of it is read again. A larger log between checkpoints makes a
  // load twice as fast (measured), for 80 MB of disk while it lasts.
  db.pragma('synchronous = NORMAL');
  db.pragma('wal_autocheckpoint = 10000');
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work(() => {
      db.exec('COMMIT');
      db.exec('BEGIN IMMEDIATE');
    });
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  } finally {
    db.pragma('wal_autocheckpoint = 1000');
    db.pragma('synchronous = FULL');
  }
}
