import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';

/** The problem under which a message is named whose id another one has. Nothing is sent while there is one. */
const code = 'id-not-unique';

/** Values by which two rows of one identity are compared. A text that is unknown (nothing of the row is sent) is null. */
export interface DuplicateFacts {
  readonly sender: number | null;
  readonly sentAtMs: number | null;
  readonly editedAtMs: number | null;
  readonly text: string | null;
}

/**
 * Returns whether two rows of one identity are two messages whose ids are not unique: they differ in time, and in text
 * and author. If the export holds both at once, a different time and text are enough, unless one is marked as edited.
 */
export function isConflicting(
  a: DuplicateFacts,
  b: DuplicateFacts,
  { areBothPresent }: { readonly areBothPresent: boolean },
): boolean {
  if (a.sentAtMs === b.sentAtMs) return false;
  const areTextsKnown = a.text !== null && b.text !== null;
  if (a.sender !== b.sender) return !areTextsKnown || a.text !== b.text;
  const isEdited = a.editedAtMs !== null || b.editedAtMs !== null;
  return areBothPresent && !isEdited && areTextsKnown && a.text !== b.text;
}

/** The text of a staged payload. */
export const payloadText = (payload: string | null): string | null =>
  payload === null ? null : ((JSON.parse(payload) as { data?: { text?: string } }).data?.text ?? '');

/** Location of a row: `place` is inside the file. */
interface DuplicateLocation {
  readonly file: number;
  readonly path: string;
  readonly place: string;
  readonly originId: string | null;
}

/** Notes that a row has the id of another message. The note goes when the file of the row is read again. */
export function conflictingDuplicateNoter(
  db: Database,
): (row: DuplicateLocation, other: Pick<DuplicateLocation, 'path' | 'place'>) => void {
  const insert = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
  return ({ file, path, place, originId }, other) => {
    const reason = `The id "${originId}" is also that of another message: ${printPlace(other.path, other.place)}`;
    insert.run(file, code, reason, printPlace(path, place));
  };
}

/** Rows that are noted one by one. */
const notedMax = 1_000;

/** Notes those in `temp.duplicates` (seq, muid, rank) that are another message than the one of rank 1, before they are taken for it. */
export function noteConflictingDuplicates(db: Database): void {
  const pairs = db
    .prepare<[], [number, number]>(
      `SELECT r.seq, f.seq FROM temp.duplicates r JOIN temp.duplicates f ON f.muid = r.muid AND f.rank = 1
       JOIN message a ON a.seq = r.seq JOIN message b ON b.seq = f.seq
       WHERE r.rank > 1 AND a.sent_at <> b.sent_at AND coalesce(a.part, 1) = 1`,
    )
    .raw();
  const select = db.prepare<[number], DuplicateFacts & DuplicateLocation>(
    `SELECT m.sender, m.sent_at AS sentAtMs, m.edited_at AS editedAtMs, m.payload ->> '$.data.text' AS text,
       m.file, f.path, m.place, m.origin_id AS originId FROM message m JOIN source_file f ON f.id = m.file WHERE m.seq = ?`,
  );
  const found: (readonly [row: DuplicateLocation, other: DuplicateLocation])[] = [];
  for (const [seq, first] of pairs.iterate()) {
    const [row, other] = [select.get(seq)!, select.get(first)!];
    if (isConflicting(row, other, { areBothPresent: true })) found.push([row, other]);
    if (found.length === notedMax) break;
  }
  // Nothing can be written while a query is read.
  const note = conflictingDuplicateNoter(db);
  for (const [row, other] of found) note(row, other);
}

/** A message whose id another one has, in words and with its place; nothing where all ids are unique. */
export function firstConflictingDuplicate(
  db: Database,
): { readonly reason: string; readonly place: string } | undefined {
  return db
    .prepare<[string], { reason: string; place: string }>(
      'SELECT reason, place FROM problem WHERE code = ? ORDER BY id LIMIT 1',
    )
    .get(code);
}

/** Returns files of the inputs in which a message has the id of another one, if nothing of the input was sent anywhere. */
export function unsentDuplicateFiles(db: Database): number[] {
  return db
    .prepare<[string], number>(
      `SELECT f.id FROM source_file f WHERE f.role NOT IN ('gone', 'rest')
         AND f.input IN (SELECT g.input FROM problem p JOIN source_file g ON g.id = p.file WHERE p.code = ?)
         AND NOT EXISTS (SELECT 1 FROM delivery d JOIN message m ON m.seq = d.message JOIN source_file h ON h.id = m.file
           WHERE h.input = f.input AND d.state <> 'pending')`,
    )
    .pluck()
    .all(code);
}
