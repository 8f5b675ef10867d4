import type { Database } from 'better-sqlite3';

/** What a destination was seen to do with a muid that it has. */
export interface SeenDuplicates {
  readonly duplicates: 'refused' | 'stored';
  readonly seenAtMs: number;
}

/** Nothing where nobody looked yet. @param destination its id. */
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
