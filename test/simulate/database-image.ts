import Database from 'better-sqlite3';

/** A database in memory that begins as a copy of a file. */
export function openImage(image: Buffer): Database.Database {
  const db = new Database(image);
  db.pragma('foreign_keys = ON');
  db.pragma('temp_store = MEMORY');
  return db;
}
