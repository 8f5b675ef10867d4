import type { Database } from 'better-sqlite3';
import type { ExportScope } from '../../model/change.ts';
import { keepOutsideWindow } from './export-window.ts';
import { freezePayloads } from './stage-rows.ts';
import { muidLength } from '../../model/staged-item.ts';
import { noteConflictingDuplicates } from './conflicting-duplicates.ts';

/**
 * Marks duplicates after a bulk load: of the versions of one identity, the latest is kept, by the version's own
 * statement, else the one of the later input. The others are marked `duplicate`, at their locations, and are not
 * counted. Versions that are in fact different messages are noted.
 *
 * @returns How many were marked.
 */
export function markRepeated(db: Database): number {
  // Asks the index alone, which is some five times as fast as looking at verdicts too.
  db.exec(`DROP TABLE IF EXISTS temp.twice;
    CREATE TEMP TABLE twice AS SELECT muid FROM message WHERE muid IS NOT NULL GROUP BY muid HAVING count(*) > 1`);
  db.exec(`DROP TABLE IF EXISTS temp.duplicates;
    CREATE TEMP TABLE duplicates AS SELECT m.seq, m.muid, row_number() OVER (PARTITION BY m.muid
        ORDER BY coalesce(m.version, '') DESC, f.input DESC, f.path DESC, m.seq DESC) AS rank
      FROM temp.twice t JOIN message m ON m.muid = t.muid JOIN source_file f ON f.id = m.file WHERE m.verdict <> 'duplicate';
    CREATE INDEX temp.duplicates_first ON duplicates (muid) WHERE rank = 1`);
  noteConflictingDuplicates(db);
  const mark =
    db.prepare(`UPDATE message SET verdict = 'duplicate', payload = NULL, reason = NULL, detail = NULL, facts = NULL
    WHERE seq IN (SELECT seq FROM temp.duplicates WHERE rank > 1)`);
  const { changes } = mark.run();
  db.exec('DROP TABLE temp.twice; DROP TABLE temp.duplicates');
  return changes;
}

/**
 * Removes, after a merge, rows that their files no longer hold. For an export of the last days or weeks (`window`),
 * rows older than its window stay as they are. If something was sent for a row, the row stays, marked `vanished`, even
 * after a rollback: its muids at that destination are used up. Otherwise the row is deleted.
 *
 * @returns Files that hold another version of a deleted row: they must be read again.
 */
export function dropUnmet(db: Database, span: ExportScope = 'full'): number[] {
  if (span === 'window') keepOutsideWindow(db);
  const others = db
    .prepare(
      `SELECT DISTINCT other.file FROM message gone CROSS JOIN message other ON other.muid = gone.muid AND other.seq <> gone.seq
       WHERE gone.stale = 1 AND gone.vanished = 0 AND gone.verdict <> 'duplicate' AND other.verdict = 'duplicate'`,
    )
    .pluck()
    .all() as number[];
  db.exec(`UPDATE message SET stale = 0, vanished = 1 WHERE stale = 1 AND EXISTS (
    SELECT 1 FROM destination d CROSS JOIN delivery v ON v.destination = d.id AND v.message = message.seq
      AND (v.state <> 'pending' OR v.generation > 1))`);
  db.exec(`DELETE FROM delivery WHERE state = 'pending' AND message IN (SELECT seq FROM message WHERE stale = 1)`);
  db.exec('DELETE FROM message WHERE stale = 1');
  return others;
}

/** How many messages arrived somewhere, if none of the store's rows was met and there is no other; 0 otherwise. */
export function countEmptied(db: Database): number {
  const isLeft = db.prepare('SELECT 1 FROM message WHERE stale = 0 AND vanished = 0 AND follows IS NULL LIMIT 1').get();
  if (isLeft) return 0;
  return db
    .prepare<[], number>(
      `SELECT count(DISTINCT message) FROM delivery WHERE state <> 'pending'
         AND message IN (SELECT seq FROM message WHERE stale = 1 AND vanished = 0)`,
    )
    .pluck()
    .get()!;
}

/** The rule by which they are left out. Their payloads stay: the root may come with a later export. */
const rule = 'reply without its root';

const hasNoRoot =
  'root_muid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message root WHERE root.muid = message.root_muid)';

const thread = '$.data.metadata.chatferry.thread';
const isOrphanWithLink = `verdict = 'planned' AND payload ->> '${thread}' IS NOT NULL AND ${hasNoRoot}`;

/**
 * Replies whose root the export does not have, once everything is read: they are left out, or lose the link, or nothing
 * happens to them.
 *
 * @returns How many rows changed.
 */
export function applyOrphanPolicy(db: Database, policy: 'keep' | 'unlink' | 'skip'): number {
  if (policy === 'keep') return 0;
  const change = (sql: string) => db.prepare(sql).run().changes;
  if (policy === 'skip') {
    const found = change(`UPDATE message SET verdict = 'planned', reason = NULL
      WHERE verdict = 'skipped' AND reason = '${rule}' AND payload IS NOT NULL AND NOT (${hasNoRoot})`);
    const lost = change(
      `UPDATE message SET verdict = 'skipped', reason = '${rule}' WHERE verdict = 'planned' AND ${hasNoRoot}`,
    );
    return found + lost;
  }
  freezePayloads(db, `SELECT seq FROM message WHERE ${isOrphanWithLink}`);
  return change(`UPDATE message SET payload = json_remove(payload, '${thread}') WHERE ${isOrphanWithLink}`);
}

/** Files with replies that lost the link to a root which has come since: they are to be read again, and get it back. */
export function filesOfFoundRoots(db: Database): number[] {
  return db
    .prepare<[], number>(
      `SELECT DISTINCT m.file FROM message m WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.root_muid IS NOT NULL
         AND m.payload IS NOT NULL AND m.payload ->> '${thread}' IS NULL
         AND EXISTS (SELECT 1 FROM message root WHERE root.muid = m.root_muid)`,
    )
    .pluck()
    .all();
}

/** SQL: the head of a further part's muid, in the form of the index `message_part`. */
const headOf = (row: string) => `substr(${row}.muid, 1, ${muidLength})`;

/**
 * Aligns further parts of split texts with their first part, once everything is read and decided: parts of a version
 * that lost are deleted, the others get the verdict of the first part.
 */
export function alignParts(db: Database): void {
  // The greatest part there is, asked of the index: most stores have none.
  if (db.prepare('SELECT 1 FROM message WHERE part > 1 LIMIT 1').get() === undefined) return;
  db.exec(`UPDATE message AS p SET verdict = 'duplicate', payload = NULL
    WHERE p.part > 1 AND p.verdict <> 'duplicate' AND p.vanished = 0 AND NOT EXISTS (SELECT 1 FROM message head
      WHERE head.muid = ${headOf('p')} AND head.verdict <> 'duplicate' AND head.record_digest = p.record_digest)
    AND NOT EXISTS (SELECT 1 FROM destination d CROSS JOIN delivery v ON v.destination = d.id AND v.message = p.seq AND v.state <> 'pending')`);
  db.exec(`UPDATE message AS p SET verdict = head.verdict, reason = head.reason, detail = head.detail FROM message head
    WHERE p.part > 1 AND p.verdict <> 'duplicate' AND head.muid = ${headOf('p')} AND head.verdict NOT IN ('duplicate', p.verdict)`);
}

/** The texts of a message that was split, in order, by the muid of any of its parts. */
export function partTextsReader(db: Database): (muid: string) => string[] {
  const select = db
    .prepare<[string, string], string | null>(
      `SELECT payload ->> '$.data.text' FROM message WHERE muid = ? AND verdict = 'planned'
       UNION ALL SELECT * FROM (SELECT payload ->> '$.data.text' FROM message
         WHERE substr(muid, 1, ${muidLength}) = ? AND part > 1 AND verdict = 'planned' ORDER BY part)`,
    )
    .pluck();
  return (muid) => {
    const head = muid.slice(0, muidLength);
    return select.all(head, head).map((text) => text ?? '');
  };
}
