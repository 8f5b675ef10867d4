import type { Database } from 'better-sqlite3';
import type { FileStat } from '../io/export-input.ts';

/** `gone`: an earlier plan read it, and the input no longer has it. */
export type FileRole = 'shared' | 'rows' | 'skipped' | 'unknown' | 'gone';

/** What the store remembers of a file of one input. */
export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly role: FileRole;
  readonly fingerprint: string;
}

/** Files of one input (an absolute path of a folder or archive), as the last plan left them. */
export function knownFiles(db: Database, input: string): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>();
  const rows = db.prepare<[string], KnownFile>('SELECT id, path, role, fingerprint FROM source_file WHERE input = ?');
  for (const row of rows.iterate(input)) known.set(row.path, row);
  return known;
}

/** An unfinished file has no fingerprint, so that the next plan reads it again. */
export const unfinished = '';

export function openFile(db: Database, input: string, path: string): number {
  const id = prepared(db).open.pluck().get(input, path) as number;
  return id;
}

export function closeFile(db: Database, id: number, role: FileRole, reason: string | undefined, stat: FileStat): void {
  prepared(db).close.run(role, reason ?? null, stat.fingerprint, stat.sizeBytes, id);
}

const statements = new WeakMap<Database, ReturnType<typeof prepareAll>>();

function prepared(db: Database) {
  let found = statements.get(db);
  if (!found) statements.set(db, (found = prepareAll(db)));
  return found;
}

const prepareAll = (db: Database) => ({
  open: db.prepare(
    `INSERT INTO source_file (input, path, role, fingerprint, size_bytes) VALUES (?, ?, 'rows', '${unfinished}', 0)
     ON CONFLICT (input, path) DO UPDATE SET fingerprint = '${unfinished}' RETURNING id`,
  ),
  close: db.prepare('UPDATE source_file SET role = ?, reason = ?, fingerprint = ?, size_bytes = ? WHERE id = ?'),
});
