import type { Database } from 'better-sqlite3';
import { Facts } from '../facts.ts';

/** A file as it was when it was read. */
export interface ReadFile {
  readonly path: string;
  readonly fingerprint: string;
  /** `shared`: people and conversations, perhaps messages as well. */
  readonly role: 'rows' | 'shared';
  /** Path of the folder, archive or file that holds it. */
  readonly input: string;
}

/**
 * The files that were read and have one of these paths. None once content was purged: what `purge` wiped must not
 * come back by way of the export.
 */
export function filesOfPaths(db: Database, paths: readonly string[]): ReadFile[] {
  if (new Facts(db).read('contentPurged') !== undefined) return [];
  return db
    .prepare<[string], ReadFile>(
      `SELECT f.path, f.fingerprint, f.role, i.path AS input FROM source_file f JOIN source_input i ON i.id = f.input
       WHERE f.role IN ('rows', 'shared') AND f.input IN (SELECT id FROM source_input) AND f.path IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(paths));
}

/** Those of the places at which a check of one of these codes found something, as far as its findings are kept. */
export const placesWith = (db: Database, codes: Iterable<string>, places: readonly string[]): string[] =>
  db
    .prepare<[string, string], string>(
      `SELECT DISTINCT place FROM problem WHERE code IN (SELECT value FROM json_each(?))
         AND place IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(JSON.stringify([...codes]), JSON.stringify(places));
