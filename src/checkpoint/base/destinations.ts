import type { Database } from 'better-sqlite3';

export interface DestinationRow {
  readonly id: number;
  readonly address: string;
  readonly name: string;
  readonly profile: string;
}

/** The destination with this address, made if it is new; used now. */
export function useDestination(
  db: Database,
  { address, name, profile, nowMs }: { address: string; name: string; profile: string; nowMs: number },
): number {
  const use = db
    .prepare(
      `INSERT INTO destination (address, name, profile, used_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (address) DO UPDATE SET name = excluded.name, profile = excluded.profile, used_at = excluded.used_at
       RETURNING id`,
    )
    .pluck();
  // The binding's get() does not hear of a commit that fails behind the row; the end of a transaction does.
  return db.transaction(() => use.get(address, name, profile, nowMs) as number)();
}

/** The destination that was used last: what `status`, `report` and `verify` speak of. */
export function lastDestination(db: Database): DestinationRow | undefined {
  return db
    .prepare<[], DestinationRow>(
      'SELECT id, address, name, profile FROM destination ORDER BY used_at DESC, id DESC LIMIT 1',
    )
    .get();
}

export function destinationByAddress(db: Database, address: string): DestinationRow | undefined {
  return db
    .prepare<[string], DestinationRow>('SELECT id, address, name, profile FROM destination WHERE address = ?')
    .get(address);
}

/** Every destination, by id. */
export const destinationIds = (db: Database): number[] =>
  db.prepare<[], number>('SELECT id FROM destination ORDER BY id').pluck().all();

/** Whether anything was ever tried at a destination. */
export function hasDeliveries(db: Database, destination: number): boolean {
  return db.prepare('SELECT 1 FROM delivery WHERE destination = ? LIMIT 1').get(destination) !== undefined;
}
