import type { Database } from 'better-sqlite3';
import { deliveredUpToReader } from './delivered-up-to.ts';
import { pendingLanes } from './pending-lanes.ts';
import { refuseUnsent } from './refuse-unsent.ts';

/**
 * Refuses, before anything is sent and with a code of ours, new messages that are older than what their conversation has
 * there already. What was tried there before is sent: a retry asks for it, and a run that was cut off only goes on.
 */
export function refuseTooLate(db: Database, destination: number, run: number): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS too_late (seq INTEGER PRIMARY KEY); DELETE FROM temp.too_late');
  const deliveredUpTo = deliveredUpToReader(db, destination);
  const collect = db.prepare(
    `INSERT INTO temp.too_late SELECT m.seq FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) < (?, ?, ?)
       AND m.vanished = 0 AND m.follows IS NULL AND d.state IS NULL`,
  );
  for (const { conversation } of pendingLanes(db, destination)) {
    const upTo = deliveredUpTo(conversation);
    if (upTo) collect.run(destination, conversation, ...upTo);
  }
  refuseUnsent(db, {
    destination,
    run,
    code: 'too-late',
    detail: 'younger messages of its conversation are already there',
    messages: 'SELECT seq FROM temp.too_late WHERE ? > 0',
  });
}
