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
  /** An SQL file in `folder`: what all migrations together make of an empty database, for a new one. Without it they are applied one by one. */
  readonly whole?: string;
  /** Error texts for a file that is no such database, or is newer than this program. */
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
 * Brings a database up to date: one transaction for each step. A new one is made in one transaction.
 *
 * @param afterEach Belongs to the same transaction.
 */
export function migrate(db: Database, kind: DatabaseKind, afterEach = () => {}): void {
  const newest = kind.migrations.length;
  const { whole } = kind;
  if (whole !== undefined && versionOf(db) === 0) apply(db, kind, { file: whole, from: 0, to: newest, afterEach });
  for (const [index, file] of kind.migrations.entries()) {
    if (versionOf(db) === index) apply(db, kind, { file, from: index, to: index + 1, afterEach });
  }
}

interface Step {
  readonly file: string;
  /** Versions before and after it. */
  readonly from: number;
  readonly to: number;
  readonly afterEach: () => void;
}

function apply(db: Database, { applicationId, folder }: DatabaseKind, { file, from, to, afterEach }: Step): void {
  const sql = readFileSync(new URL(file, folder), 'utf8');
  db.transaction(() => {
    // Another process may have been quicker.
    if (versionOf(db) !== from) return;
    db.exec(sql);
    afterEach();
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${to}`);
  }).immediate();
}
