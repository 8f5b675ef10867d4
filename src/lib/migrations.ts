import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from './errors.ts';

export interface DatabaseKind {
  /** Four characters as a number: marks the file as one of this kind. */
  readonly applicationId: number;
  /** Has `schema.sql`, which makes version 1, and the migrations. */
  readonly folder: URL;
  /** Names of SQL files in `folder`, `0002.sql` and so on: each leads from the version before to its own. */
  readonly migrations: readonly string[];
  /** What a file of this kind serves as, in errors: `as checkpoint store`. */
  readonly role: string;
  /** Hints for a file of another program, of a newer version, and of one before 0.1. */
  readonly hints: { readonly foreign: string; readonly newer: string; readonly early: string };
}

/** Databases made before 0.1 have numbers up to this one. Version 1 is the next number. */
export const numbersBefore = 101;

const numberIn = (db: Database) => db.pragma('user_version', { simple: true }) as number;

/** Returns 0 for a database without tables of ours. */
export const readSchemaVersion = (db: Database) => Math.max(0, numberIn(db) - numbersBefore);

export const newestVersion = ({ migrations }: Pick<DatabaseKind, 'migrations'>) => 1 + migrations.length;

/** A newer version of this program made it. */
export class NewerStore extends StoreError {}

/** @throws StoreError if the database is another program's, was made before 0.1, or is newer than this program. */
export function checkOwner(db: Database, path: string, kind: DatabaseKind): void {
  const { applicationId, role, hints } = kind;
  const cannotUse = `Cannot use "${path}" ${role}`;
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId;
  if (!isEmpty && !isOurs)
    throw new StoreError(`${cannotUse}: it is a database of another program`, { path, hint: hints.foreign });
  if (numberIn(db) > 0 && readSchemaVersion(db) === 0)
    throw new StoreError(`${cannotUse}: it was made before 0.1`, { path, hint: hints.early });
  if (readSchemaVersion(db) > newestVersion(kind))
    throw new NewerStore(`${cannotUse}: a newer version of Chatferry wrote it`, { path, hint: hints.newer });
}

/** Makes a database, or brings it up to date: one transaction for each file. */
export function migrate(db: Database, { applicationId, folder, migrations }: DatabaseKind): void {
  for (const [version, file] of ['schema.sql', ...migrations].entries()) {
    if (readSchemaVersion(db) !== version) continue;
    const sql = readFileSync(new URL(file, folder), 'utf8');
    db.transaction(() => {
      // Another process may have been quicker.
      if (readSchemaVersion(db) !== version) return;
      db.exec(sql);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${numbersBefore + version + 1}`);
    }).immediate();
  }
}
