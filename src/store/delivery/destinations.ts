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
  // The binding's get() does not notice a commit that fails behind the row; the end of a transaction does.
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

/** Whether anything may have left for any destination. */
export const hasSent = (db: Database): boolean =>
  db.prepare(`SELECT 1 FROM delivery WHERE state <> 'pending' LIMIT 1`).get() !== undefined;

/** Whether anything was taken back at any: it is to be sent again under a muid that only the store know. */
export const hasTakenBack = (db: Database): boolean =>
  db.prepare('SELECT 1 FROM delivery WHERE generation > 1 LIMIT 1').get() !== undefined;

/** Facts about a destination that sending has shown. */
export interface DestinationFacts {
  /** Bytes of a request's body that it accepts, if fewer than its profile says. */
  readonly batchBytesMax?: number | undefined;
  /** By what our messages are recognised in its listings: our key or muid, the service's own id alone, or nothing. */
  readonly shownBy?: 'key' | 'id' | 'nothing' | undefined;
  /** When reading back found messages twice, in epoch ms: it stores a muid twice, and applies requests late. */
  readonly copiesFoundAtMs?: number | undefined;
}

export function destinationFacts(db: Database, destination: number): DestinationFacts {
  const row = db
    .prepare<[number], { bytes: number | null; shown: DestinationFacts['shownBy'] | null; copies: number | null }>(
      'SELECT batch_bytes_max AS bytes, shown_by AS shown, copies_found_at AS copies FROM destination WHERE id = ?',
    )
    .get(destination);
  const { bytes, shown, copies } = row ?? {};
  return {
    batchBytesMax: bytes ?? undefined,
    shownBy: shown ?? undefined,
    copiesFoundAtMs: copies ?? undefined,
  };
}

/** Writes down what was learned; what is not mentioned stays as it is. */
export function learnDestination(
  db: Database,
  destination: number,
  { batchBytesMax, shownBy, copiesFoundAtMs }: DestinationFacts,
): void {
  db.prepare(
    `UPDATE destination SET batch_bytes_max = coalesce(?, batch_bytes_max), shown_by = coalesce(?, shown_by),
       copies_found_at = coalesce(?, copies_found_at) WHERE id = ?`,
  ).run(batchBytesMax ?? null, shownBy ?? null, copiesFoundAtMs ?? null, destination);
}

/** Observed behaviour of a destination when it gets a muid that it already has. */
export interface SeenDuplicates {
  readonly duplicates: 'refused' | 'stored';
  readonly seenAtMs: number;
}

/** Returns undefined if the behaviour has not been observed yet. @param destination Its id. */
export function seenDuplicates(db: Database, destination: number): SeenDuplicates | undefined {
  return db
    .prepare<[number], SeenDuplicates>(
      'SELECT duplicates, duplicates_seen_at AS seenAtMs FROM destination WHERE id = ? AND duplicates IS NOT NULL',
    )
    .get(destination);
}

/** Notes what was seen of a destination. It does not become the one that was used last: nothing of the export went there. */
export function rememberDuplicates(
  db: Database,
  { address, name, profile }: { readonly address: string; readonly name: string; readonly profile: string },
  { duplicates, seenAtMs }: SeenDuplicates,
): void {
  db.prepare(
    `INSERT INTO destination (address, name, profile, used_at, duplicates, duplicates_seen_at) VALUES (?, ?, ?, 0, ?, ?)
     ON CONFLICT (address) DO UPDATE SET duplicates = excluded.duplicates, duplicates_seen_at = excluded.duplicates_seen_at`,
  ).run(address, name, profile, duplicates, seenAtMs);
}

/** Returns the service's id of a conversation to which Chatferry delivered something; undefined if it never did. */
export function deliveredConversation(db: Database, destination: number): string | undefined {
  return db
    .prepare<[number], string>(
      `SELECT conversation_id FROM conversation_delivery
       WHERE destination = ? AND conversation_id IS NOT NULL AND last_server_id IS NOT NULL LIMIT 1`,
    )
    .pluck()
    .get(destination);
}
