import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from './errors.ts';

/** A kind of database that this program makes. */
export interface DatabaseKind {
  /** Four characters as a number: marks the file as one of this kind. */
  readonly applicationId: number;
  /** Numbered, applied in order: names of SQL files in `folder`. A database remembers the last one in `user_version`. */
  readonly migrations: readonly string[];
  readonly folder: URL;
  /** What is said of a file that is no such database, or is newer than this program. */
  readonly foreign: { message(path: string): string; readonly hint: string };
  readonly newer: { message(path: string): string; readonly hint: string };
}

export const versionOf = (db: Database) => db.pragma('user_version', { simple: true }) as number;

/** A newer version of this program made it. */
export class NewerStore extends StoreError {}

/** An older version of this program made it, and it was opened only to be read. */
export class OlderStore extends StoreError {}

/** @throws StoreError if the database is another program's, or newer than this one. */
export function checkOwner(
  db: Database,
  path: string,
  { applicationId, migrations, foreign, newer }: DatabaseKind,
): void {
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId;
  if (!isEmpty && !isOurs) throw new StoreError(foreign.message(path), { path, hint: foreign.hint });
  if (versionOf(db) > migrations.length) throw new NewerStore(newer.message(path), { path, hint: newer.hint });
}

/**
 * Brings a database up to date, one transaction for each step.
 *
 * @param afterEach Belongs to the same transaction.
 */
export function migrate(db: Database, { applicationId, migrations, folder }: DatabaseKind, afterEach = () => {}): void {
  for (const [index, file] of migrations.entries()) {
    if (versionOf(db) > index) continue;
    const sql = readFileSync(new URL(file, folder), 'utf8');
    db.transaction(() => {
      // Another process may have been quicker.
      if (versionOf(db) > index) return;
      db.exec(sql);
      afterEach();
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}
