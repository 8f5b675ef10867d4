import { formatCount } from '../../lib/text/count.ts';
import type { Database } from 'better-sqlite3';
import { RowBuffer } from '../base/row-buffer.ts';

/** Findings of one code that are kept one by one for each file; the others of the file are one row that counts them. */
const listedMax = 100;
/** The same for the export as a whole. */
const listedOfWholeMax = 1000;

export interface NewProblem {
  readonly code: string;
  readonly reason: string;
  readonly place: string;
  /** Where it stands for so many cases. Default: 1. */
  readonly count?: number;
}

/** The file number of what is said of the export as a whole: no file has it. */
const wholeExport = 0;

/**
 * Writes problems: what a person should know about the export although every row is valid. A check may find something
 * in every row of ten million, so only the first of each file and code are kept with their places. The caller
 * flushes before it commits.
 */
export class ProblemWriter {
  readonly #rows: RowBuffer;
  /** By file and code: how many there were. For the files that are open. */
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(db: Database) {
    this.#rows = new RowBuffer(db, (rows) => `INSERT INTO problem (file, code, reason, place, count) VALUES ${rows}`);
  }

  add(file: number, { code, reason, place, count: cases = 1 }: NewProblem): void {
    let counts = this.#counts.get(file);
    if (!counts) {
      counts = new Map();
      this.#counts.set(file, counts);
    }
    // A problem that represents many cases is rare, and gives their number itself.
    if (cases > 1) {
      this.#rows.add([file, code, reason, place, cases]);
      return;
    }
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= listedMax) this.#rows.add([file, code, reason, place, 1]);
  }

  /** Nothing more is said of this file. */
  close(file: number, path: string): void {
    for (const [code, count] of this.#counts.get(file) ?? []) {
      const others = count - listedMax;
      if (others > 0) this.#rows.add([file, code, othersReason(others), path, others]);
    }
    this.#counts.delete(file);
  }

  flush(): void {
    this.#rows.flush();
  }
}

/**
 * Problems that belong to no file: what is said of the inputs, or of the mapping. The caller begins and commits.
 *
 * Those of an earlier plan go when the next one begins (`forgetAllBut`), but for what only comes up where something is read.
 */
export function unfiledProblems(db: Database) {
  const insert = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (NULL, ?, ?, ?)');
  const drop = db.prepare('DELETE FROM problem WHERE file IS NULL AND code = ?');
  const dropOthers = db.prepare('DELETE FROM problem WHERE file IS NULL AND code <> ?');
  return {
    note: (code: string, reason: string, place: string): void => void insert.run(code, reason, place),
    forget: (code: string): void => void drop.run(code),
    forgetAllBut: (code: string): void => void dropOthers.run(code),
  };
}

const othersReason = (others: number): string => `${formatCount(others)} more in this file`;

/** Findings of a check on everything that is staged, read on demand. */
export interface WholeFindings {
  readonly code: string;
  readonly findings: Iterable<{ readonly reason: string; readonly place: string }>;
}

/** Puts what was found in the export as a whole in the place of what was found before. */
export function replaceWholeProblems(db: Database, found: readonly WholeFindings[]): void {
  db.prepare('DELETE FROM problem WHERE file = ?').run(wholeExport);
  const insert = db.prepare('INSERT INTO problem (file, code, reason, place, count) VALUES (?, ?, ?, ?, ?)');
  for (const { code, findings } of found) {
    let count = 0;
    // Nothing can be written while a query is read.
    const listed: (readonly [reason: string, place: string])[] = [];
    for (const { reason, place } of findings) if (count++ < listedOfWholeMax) listed.push([reason, place]);
    for (const [reason, place] of listed) insert.run(wholeExport, code, reason, place, 1);
    const others = count - listed.length;
    if (others > 0) insert.run(wholeExport, code, `${formatCount(others)} more`, '', others);
  }
}

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
