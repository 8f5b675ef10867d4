import type { Database, Statement } from 'better-sqlite3';
import { freezePayload } from './freeze-payloads.ts';

/** A timeline row as the plan leaves it. `place` is a line or JSON pointer inside the file. */
export interface StagedRow {
  readonly muid: string | null;
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly originId: string | null;
  readonly sentAtMs: number | null;
  readonly sortKey: string | null;
  readonly editedAtMs: number | null;
  readonly recordDigest: string | null;
  readonly verdict: 'planned' | 'skipped' | 'rejected';
  readonly reason: string | null;
  readonly detail: string | null;
  readonly payload: string | null;
  readonly rootMuid: string | null;
  readonly facts: string | null;
  readonly place: string;
}

interface Existing {
  readonly seq: number;
  readonly file: number;
  readonly stale: number;
  readonly record_digest: string | null;
  readonly edited_at: number | null;
  readonly payload: string | null;
}

/**
 * Writes rows into `message`.
 *
 * `append` is for an empty table without indexes: identities that come twice are found afterwards (`settleRepeated`).
 * `merge` is for a table with rows and indexes: a row that is met again keeps its `seq`, because deliveries refer to it;
 * of two versions of one identity from different files the later edit wins, then the later file read.
 */
export interface RowWriter {
  /** Called before the first row of a file that was read before. */
  beginFile(file: number): void;
  save(file: number, row: StagedRow): void;
}

const insertSql = `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest,
  verdict, reason, detail, payload, root_muid, facts, file, place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function insertRow(insert: Statement, file: number, row: StagedRow): void {
  insert.run(
    row.muid,
    row.conversation,
    row.sender,
    row.originId,
    row.sentAtMs,
    row.sortKey,
    row.editedAtMs,
    row.recordDigest,
    row.verdict,
    row.reason,
    row.detail,
    row.payload,
    row.rootMuid,
    row.facts,
    file,
    row.place,
  );
}

export function appendRows(db: Database): RowWriter {
  const insert = db.prepare(insertSql);
  return { beginFile() {}, save: (file, row) => insertRow(insert, file, row) };
}

export function mergeRows(db: Database, onChangedAfterSending: (file: number, row: StagedRow) => void): RowWriter {
  const insert = db.prepare(insertSql);
  const find = db.prepare<[string], Existing>(
    `SELECT seq, file, stale, record_digest, edited_at, payload FROM message WHERE muid = ? AND verdict <> 'repeated'`,
  );
  const keep = db.prepare('UPDATE message SET stale = 0, vanished = 0, place = ?, file = ? WHERE seq = ?');
  const update = db.prepare(
    `UPDATE message SET conversation = ?, sender = ?, sent_at = ?, sort_key = ?, edited_at = ?, record_digest = ?, verdict = ?,
       reason = ?, detail = ?, payload = ?, root_muid = ?, facts = ?, file = ?, place = ?, stale = 0, vanished = 0 WHERE seq = ?`,
  );
  const dropUnidentified = db.prepare(`DELETE FROM message WHERE file = ? AND (muid IS NULL OR verdict = 'repeated')`);
  const markStale = db.prepare('UPDATE message SET stale = 1 WHERE file = ?');
  const dropProblems = db.prepare('DELETE FROM problem WHERE file = ?');
  const wasSent = db.prepare(
    `SELECT 1 FROM destination JOIN delivery ON delivery.destination = destination.id AND delivery.message = ? LIMIT 1`,
  );

  const replace = (file: number, row: StagedRow, old: Existing) => {
    const isChanged = old.record_digest !== row.recordDigest;
    if (isChanged || old.payload !== row.payload) {
      if (wasSent.get(old.seq)) {
        freezePayload(db, old.seq);
        if (isChanged) onChangedAfterSending(file, row);
      }
    }
    update.run(
      row.conversation, row.sender, row.sentAtMs, row.sortKey, row.editedAtMs, row.recordDigest, row.verdict,
      row.reason, row.detail, row.payload, row.rootMuid, row.facts, file, row.place, old.seq,
    );
  };

  return {
    beginFile(file) {
      dropUnidentified.run(file);
      dropProblems.run(file);
      markStale.run(file);
    },
    save(file, row) {
      const old = row.muid === null ? undefined : find.get(row.muid);
      if (!old) return insertRow(insert, file, row);
      const isSameRow = old.stale === 1;
      if (isSameRow && old.record_digest === row.recordDigest && old.payload === row.payload) {
        keep.run(row.place, file, old.seq);
      } else if (isSameRow) {
        replace(file, row, old);
      } else if (old.record_digest !== row.recordDigest && (row.editedAtMs ?? 0) >= (old.edited_at ?? 0) && old.file !== file) {
        insertRepeated(db, old.seq);
        replace(file, row, old);
      } else {
        insertRow(insert, file, { ...row, payload: null });
        db.prepare(`UPDATE message SET verdict = 'repeated' WHERE seq = last_insert_rowid()`).run();
      }
    },
  };
}

/** Leaves a mark of the version that lost, at the place where it stood. */
function insertRepeated(db: Database, seq: number): void {
  db.prepare(
    `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest, verdict, file, place)
     SELECT muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest, 'repeated', file, place
     FROM message WHERE seq = ?`,
  ).run(seq);
}
