import type { Database } from 'better-sqlite3';
import { mayBeThere } from './drift-rows.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** A message that its file no longer holds, and that may be at a destination. */
export interface VanishedMessage {
  readonly seq: number;
  readonly muid: string;
  readonly digest: string;
  readonly sentAtMs: number;
  readonly verdict: string;
  readonly payload: string | null;
  /** 1: its file could not be read to its end, so it may stand there all the same. */
  readonly isInDoubt: number;
}

const pageSize = 1_000;

/** Codes of rejects and problems that stand for the rest of a file. */
const unreadRest = [
  ...[
    'json-cut-off',
    'json-syntax',
    'json-unreadable',
    'json-encoding',
    'json-not-an-array',
    'json-no-list',
    'json-empty',
  ],
  ...['json-trailing', 'unclosed-quote', 'unreadable-file', 'damaged-entry'],
]
  .map((code) => `'${code}'`)
  .join();

/** Files that could not be read to their end. What stands behind the last whole line of one has a file of its own there, with its path. */
function collectUnread(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS temp.unread_file;
    CREATE TEMP TABLE unread_file AS SELECT DISTINCT f.input, f.path FROM source_file f WHERE f.id IN (
      SELECT r.file FROM message r INDEXED BY message_muid WHERE r.muid IS NULL AND r.reason IN (${unreadRest})
      UNION SELECT p.file FROM problem p WHERE p.code IN (${unreadRest}));
    CREATE INDEX temp.unread_file_path ON unread_file (input, path)`);
}

/**
 * Those of which nobody has noted yet that they are gone, in pages; the caller may note them between. A message that the export
 * called deleted was noted then.
 */
export function* vanishedMessages(db: Database): Generator<readonly VanishedMessage[]> {
  if (!hasMessageIndex(db, 'message_vanished')) return;
  collectUnread(db);
  const select = db.prepare<[number], VanishedMessage>(
    `SELECT m.seq, m.muid, m.record_digest AS digest, m.sent_at AS sentAtMs, m.verdict, m.payload,
       EXISTS (SELECT 1 FROM source_file f JOIN temp.unread_file u ON u.input = f.input AND u.path = f.path
         WHERE f.id = m.file) AS isInDoubt
     FROM message m WHERE m.vanished = 1 AND m.seq > ? AND coalesce(m.part, 1) = 1 AND m.verdict <> 'repeated'
       AND (m.facts ->> '$.deleted') IS NULL
       AND EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
         WHERE ${mayBeThere('d')} AND (SELECT x.digest FROM drift x
           WHERE x.message = m.seq AND x.destination = d.destination ORDER BY x.id DESC LIMIT 1) IS NOT '')
     ORDER BY m.seq LIMIT ${pageSize}`,
  );
  for (let after = 0; ; ) {
    const page = select.all(after);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!.seq;
  }
}
