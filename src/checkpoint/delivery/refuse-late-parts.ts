import type { Database } from 'better-sqlite3';
import { refuseUnsent } from './refuse-unsent.ts';
import { muidLength } from '../staging/settle-parts.ts';

/**
 * What was sent stays as it is: where a message was edited at the source after its first part was sent, further parts of
 * the new version are refused here, before anything is sent, with a code of ours.
 */
export function refuseLateParts(db: Database, destination: number, run: number): void {
  refuseUnsent(db, {
    destination,
    run,
    code: 'late_part',
    detail: 'the message was sent before it was edited and grew',
    messages: `SELECT p.seq FROM message p JOIN message head ON head.muid = substr(p.muid, 1, ${muidLength}) AND head.verdict <> 'repeated'
       JOIN delivery sent ON sent.destination = ? AND sent.message = head.seq AND sent.state <> 'pending'
       LEFT JOIN delivery d ON d.destination = sent.destination AND d.message = p.seq
       WHERE p.part > 1 AND p.verdict = 'planned' AND (d.state IS NULL OR d.state = 'pending')
         AND sent.payload IS NOT NULL AND sent.payload ->> '$.data' <> head.payload ->> '$.data'`,
  });
}
