import type { Database } from 'better-sqlite3';

/** What sending has shown of a destination. */
export interface DestinationFacts {
  /** Bytes of a request's body that it takes, where that is less than its profile says. */
  readonly batchBytesMax?: number | undefined;
  /** By what our messages are recognised in its listings: our key or muid, the service's own id alone, or nothing. */
  readonly shownBy?: 'key' | 'id' | 'nothing' | undefined;
}

export function destinationFacts(db: Database, destination: number): DestinationFacts {
  const row = db
    .prepare<[number], { bytes: number | null; shown: DestinationFacts['shownBy'] | null }>(
      'SELECT batch_bytes_max AS bytes, shown_by AS shown FROM destination WHERE id = ?',
    )
    .get(destination);
  return { batchBytesMax: row?.bytes ?? undefined, shownBy: row?.shown ?? undefined };
}

/** Writes down what was learned; what is not mentioned stays as it is. */
export function learnDestination(
  db: Database,
  destination: number,
  { batchBytesMax, shownBy }: DestinationFacts,
): void {
  db.prepare(
    'UPDATE destination SET batch_bytes_max = coalesce(?, batch_bytes_max), shown_by = coalesce(?, shown_by) WHERE id = ?',
  ).run(batchBytesMax ?? null, shownBy ?? null, destination);
}
