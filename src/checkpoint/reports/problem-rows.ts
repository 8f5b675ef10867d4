import type { Database } from 'better-sqlite3';
import { codeThere, printPlace, stateThere, verdictThere } from '../base/message-facts.ts';

/** A row of the export that cannot be sent or was refused, or what a check or a comparison found: to be listed one by one. */
export interface ListedProblem {
  readonly code: string;
  /** More than 1: further findings of its file, which are only counted. */
  readonly count: number;
  readonly location: string;
  readonly conversation: string;
  /** Empty where it is not about one message. */
  readonly muid: string;
  readonly detail: string;
}

interface MessageRow {
  readonly code: string | null;
  readonly path: string;
  readonly place: string;
  readonly conversation: string | null;
  readonly muid: string | null;
  readonly detail: string | null;
}

const messageColumns = `f.path, m.place, c.name AS conversation, m.muid, coalesce(d.detail, m.detail) AS detail`;
const messageTables = `message m LEFT JOIN delivery d ON d.destination = :destination AND d.message = m.seq
  JOIN source_file f ON f.id = m.file LEFT JOIN conversation c ON c.id = m.conversation`;

/** Rows that were rejected, in reading order: one pass over all messages. */
export function* rejectedRows(db: Database, destination: number | null): Generator<ListedProblem> {
  yield* messages(
    db,
    destination,
    `SELECT m.reason AS code, ${messageColumns} FROM ${messageTables}
     WHERE m.verdict = 'rejected' AND coalesce(m.part, 1) = 1 AND ${verdictThere} = 'rejected' ORDER BY m.seq`,
  );
}

/** Messages that the destination refused, in reading order; of one that was split, once. */
export function* refusedRows(db: Database, destination: number | null): Generator<ListedProblem> {
  yield* messages(
    db,
    destination,
    `SELECT ${codeThere} AS code, ${messageColumns} FROM ${messageTables}
     WHERE coalesce(m.part, 1) = 1 AND (d.state = 'refused' OR m.part = 1)
       AND ${verdictThere} = 'planned' AND ${stateThere} = 'refused' ORDER BY m.seq`,
  );
}

function* messages(db: Database, destination: number | null, sql: string): Generator<ListedProblem> {
  const rows = db.prepare<[{ destination: number | null }], MessageRow>(sql).iterate({ destination });
  for (const { code, path, place, conversation, muid, detail } of rows) {
    yield {
      code: code ?? 'refused',
      count: 1,
      location: printPlace(path, place),
      conversation: conversation ?? '',
      muid: muid ?? '',
      detail: detail ?? '',
    };
  }
}

/** What checks found, in reading order. */
export function* findingRows(db: Database): Generator<ListedProblem> {
  const rows = db.prepare<[], Pick<ListedProblem, 'code' | 'count' | 'location' | 'detail'>>(
    'SELECT code, count, place AS location, reason AS detail FROM problem ORDER BY id',
  );
  for (const row of rows.iterate()) yield { ...row, conversation: '', muid: '' };
}
