import type { Database } from 'better-sqlite3';

export interface FoundProblem {
  readonly file: number;
  readonly code: string;
  readonly reason: string;
  readonly place: string;
}

/** Puts what was found now in the place of everything that was found before under these codes, at once. */
export function replaceProblems(db: Database, codes: readonly string[], found: readonly FoundProblem[]): void {
  const remove = db.prepare('DELETE FROM problem WHERE code = ?');
  const insert = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
  db.transaction(() => {
    for (const code of codes) remove.run(code);
    for (const { file, code, reason, place } of found) insert.run(file, code, reason, place);
  }).immediate();
}
