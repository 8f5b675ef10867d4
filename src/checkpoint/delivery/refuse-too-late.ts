import type { Database } from 'better-sqlite3';
import { deliveredUpToReader } from './delivered-up-to.ts';
import { pendingLanes } from './pending-lanes.ts';
import { refuseUnsent } from './refuse-unsent.ts';

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [number, string, number];

/**
 * Refuses, before anything is sent and with a code of ours, new messages that are older than what their conversation has
 * there already. What was tried there before is sent: a retry asks for it, and a run that was cut off only goes on.
 */
export function refuseTooLate(db: Database, destination: number, run: number): void {
  const tooLate = tooLateRefuser(db, destination, run);
  const deliveredUpTo = deliveredUpToReader(db, destination);
  for (const { conversation } of pendingLanes(db, destination)) {
    const upTo = deliveredUpTo(conversation);
    if (upTo) tooLate.collect(conversation, upTo);
  }
  tooLate.refuse();
}

/**
 * The same for one conversation after the other, where more turns out to be there than the store knew: an old copy of it, or
 * an answer that was lost. Call it after `refuseTooLate`.
 *
 * @returns How many messages were refused.
 */
export function lateLaneRefuser(db: Database, destination: number, run: number) {
  const tooLate = tooLateRefuser(db, destination, run);
  return (conversation: number, upTo: Place): number => {
    tooLate.collect(conversation, upTo);
    return tooLate.refuse();
  };
}

function tooLateRefuser(db: Database, destination: number, run: number) {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS too_late (seq INTEGER PRIMARY KEY); DELETE FROM temp.too_late');
  const collect = db.prepare<[number, number, ...Place]>(
    `INSERT INTO temp.too_late SELECT m.seq FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) < (?, ?, ?)
       AND m.vanished = 0 AND m.follows IS NULL AND d.state IS NULL`,
  );
  return {
    collect: (conversation: number, upTo: Place): void => void collect.run(destination, conversation, ...upTo),
    /** What was collected since the last time. */
    refuse(): number {
      const code = 'too-late';
      const detail = 'younger messages of its conversation are already there';
      const messages = 'SELECT seq FROM temp.too_late WHERE ? > 0';
      const count = refuseUnsent(db, { destination, run, code, detail, messages });
      db.exec('DELETE FROM temp.too_late');
      return count;
    },
  };
}
