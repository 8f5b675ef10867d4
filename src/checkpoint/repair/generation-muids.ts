import type { Database } from 'better-sqlite3';

/** A message, and the generation of the muid by which it was found. */
export interface Generation {
  readonly message: number;
  readonly generation: number;
}

/**
 * Which message and generation a muid is, where muids were met that are not those of the store. A temporary table, so memory
 * stays flat; only conversations with such muids are written to it.
 */
export function generationMuids(db: Database) {
  db.exec('DROP TABLE IF EXISTS temp.generation_muid; DROP TABLE IF EXISTS temp.met_generation');
  db.exec(
    'CREATE TEMP TABLE generation_muid (muid TEXT PRIMARY KEY, message INTEGER, generation INTEGER) WITHOUT ROWID',
  );
  db.exec('CREATE TEMP TABLE met_generation (message INTEGER PRIMARY KEY, generation INTEGER)');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.generation_muid VALUES (?, ?, ?)');
  const find = db.prepare<[string], Generation>('SELECT message, generation FROM temp.generation_muid WHERE muid = ?');
  const meet = db.prepare(
    `INSERT INTO temp.met_generation VALUES (?, ?)
     ON CONFLICT (message) DO UPDATE SET generation = max(generation, excluded.generation)`,
  );
  const met = db.prepare<[number], number>('SELECT generation FROM temp.met_generation WHERE message = ?').pluck();
  return {
    add(muid: string, { message, generation }: Generation): void {
      insert.run(muid, message, generation);
    },
    /** Notes that a message with this muid is there. Of several generations of a message the latest counts. */
    meet(muid: string): void {
      const found = find.get(muid);
      if (found) meet.run(found.message, found.generation);
    },
    /** The latest generation of a message that was met. */
    metOf: (message: number): number | undefined => met.get(message),
  };
}
