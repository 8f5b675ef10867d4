import type { Database } from 'better-sqlite3';

/** Characters of a muid; that of a further part begins with the first part's. */
export const muidLength = 27;
/** Of a further part, as the index `message_part` has it. */
const headOf = (row: string) => `substr(${row}.muid, 1, ${muidLength})`;

/**
 * Further parts of texts that were split, once everything is read and settled: those of a version that lost leave the
 * books, the others share the verdict of the first part.
 */
export function settleParts(db: Database): void {
  // The greatest part there is, asked of the index: most stores have none.
  if (db.prepare('SELECT 1 FROM message WHERE part > 1 LIMIT 1').get() === undefined) return;
  db.exec(`UPDATE message AS p SET verdict = 'repeated', payload = NULL
    WHERE p.part > 1 AND p.verdict <> 'repeated' AND p.vanished = 0 AND NOT EXISTS (SELECT 1 FROM message head
      WHERE head.muid = ${headOf('p')} AND head.verdict <> 'repeated' AND head.record_digest = p.record_digest)
    AND NOT EXISTS (SELECT 1 FROM destination d CROSS JOIN delivery v ON v.destination = d.id AND v.message = p.seq AND v.state <> 'pending')`);
  db.exec(`UPDATE message AS p SET verdict = head.verdict, reason = head.reason, detail = head.detail FROM message head
    WHERE p.part > 1 AND p.verdict <> 'repeated' AND head.muid = ${headOf('p')} AND head.verdict NOT IN ('repeated', p.verdict)`);
}
