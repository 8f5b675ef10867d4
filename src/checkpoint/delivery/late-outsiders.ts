import type { Database } from 'better-sqlite3';
import { isPending } from '../base/is-pending.ts';
import { refuseUnsent } from './refuse-unsent.ts';

/**
 * A one-to-one chat stays one once something was sent to it: what a third person wrote there later is refused here,
 * before anything is sent, with a code of ours.
 */
export function refuseLateOutsiders(db: Database, destination: number, run: number): void {
  refuseUnsent(db, {
    destination,
    run,
    code: 'late_outsider',
    detail: 'a third person wrote in what is already a one-to-one chat there',
    messages: `SELECT m.seq FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
       JOIN message m ON m.conversation = c.id AND m.verdict = 'planned' AND m.sender NOT IN (c.person_a, c.person_b)
       LEFT JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
       WHERE cd.destination = ? AND cd.receiver_type = 'user' AND ${isPending}`,
  });
}
