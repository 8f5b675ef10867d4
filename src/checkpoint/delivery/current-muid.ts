import type { Database } from 'better-sqlite3';

/** Whether messages were taken back at a destination, so that their muids there are no longer those of the plan. */
export function hasRenewedMuids(db: Database, destination: number): boolean {
  return (
    db.prepare('SELECT 1 FROM delivery WHERE destination = ? AND muid IS NOT NULL LIMIT 1').get(destination) !==
    undefined
  );
}

/** By which muid a destination knows a message, or will, by its muid in the plan. What the store does not have keeps its own. */
export function currentMuidReader(db: Database, destination: number): (muid: string) => string {
  const select = db
    .prepare<[number, string], string>(
      `SELECT d.muid FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.muid = ? AND d.muid IS NOT NULL`,
    )
    .pluck();
  return (muid) => select.get(destination, muid) ?? muid;
}
