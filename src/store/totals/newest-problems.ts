import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';

/** Something that did not go as it should: of a place of the export, of a request, or of a message. */
export interface NewestProblem {
  readonly of: 'export' | 'request' | 'message';
  /** Number of a request, as in `batch 7, attempt 2`. */
  readonly place: string;
  /** A check's, or what the service answered with. */
  readonly code: string;
  readonly detail: string;
  /** When a request ended. */
  readonly atMs: number | null;
}

/** How far back requests and rows are looked through: what went wrong earlier is no news. */
const batchesMax = 200;
const rowsMax = 20_000;

/** The last problems of each kind, the newest first, a few of each. It asks for rows at the ends of tables only: some ms at any size. */
export function newestProblems(db: Database, countMax: number): NewestProblem[] {
  const requests = db
    .prepare<[number, number], Omit<NewestProblem, 'of'>>(
      `SELECT 'batch ' || a.batch || ', attempt ' || a.number AS place, coalesce(a.code, a.status, a.outcome) AS code,
         coalesce(a.detail, '') AS detail, a.ended_at AS atMs
       FROM attempt a WHERE a.batch > (SELECT coalesce(max(id), 0) FROM batch) - ?
         AND a.ended_at IS NOT NULL AND (a.outcome <> 'answered' OR a.status >= 400) ORDER BY a.batch DESC, a.number DESC LIMIT ?`,
    )
    .all(batchesMax, countMax);
  const messages = db
    .prepare<[number, number], RowFound>(
      `SELECT f.path, m.place, d.code, d.detail FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.state = 'failed'
         JOIN message m ON m.seq = d.message JOIN source_file f ON f.id = m.file
       WHERE b.id > (SELECT coalesce(max(id), 0) FROM batch) - ? ORDER BY b.id DESC LIMIT ?`,
    )
    .all(batchesMax, countMax);
  const invalidRows = db
    .prepare<[number, number], RowFound>(
      `SELECT f.path, m.place, m.reason AS code, m.detail FROM message m CROSS JOIN source_file f ON f.id = m.file
       WHERE m.seq > (SELECT coalesce(max(seq), 0) FROM message) - ? AND m.verdict = 'invalid' ORDER BY m.seq DESC LIMIT ?`,
    )
    .all(rowsMax, countMax);
  const places = db
    .prepare<[number], { place: string; code: string; detail: string }>(
      'SELECT place, code, reason AS detail FROM problem ORDER BY id DESC LIMIT ?',
    )
    .all(countMax);
  return [
    ...requests.map((row) => ({ ...row, of: 'request' as const })),
    ...messages.map((row) => problemOf('message', row)),
    ...invalidRows.map((row) => problemOf('export', row)),
    ...places.map((row) => ({ ...row, of: 'export' as const, atMs: null })),
  ];
}

interface RowFound {
  readonly path: string;
  readonly place: string;
  readonly code: string | null;
  readonly detail: string | null;
}

const problemOf = (of: NewestProblem['of'], { path, place, code, detail }: RowFound): NewestProblem => ({
  of,
  place: printPlace(path, place),
  code: code ?? '',
  detail: detail ?? '',
  atMs: null,
});
