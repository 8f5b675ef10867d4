import type { Database } from 'better-sqlite3';

/**
 * A temporary table of replies that are planned and whose root is missing (null), not sent, itself a reply, or later than
 * they are. Several checks ask about those: looking up the root of every reply once takes as long as all the rest of them.
 */
export function collectOddReplies(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS temp.odd_reply;
    CREATE TEMP TABLE odd_reply AS SELECT m.seq AS reply, r.seq AS root
    FROM message m LEFT JOIN message r ON r.muid = m.root_muid AND r.verdict <> 'repeated'
    WHERE m.root_muid IS NOT NULL AND m.verdict = 'planned'
      AND (r.seq IS NULL OR r.verdict <> 'planned' OR r.root_muid IS NOT NULL OR m.sent_at < r.sent_at)`);
}
