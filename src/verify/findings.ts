import { absentMessages } from '../checkpoint/repair/absent-messages.ts';
import { checkDropper, checkWriter } from '../checkpoint/repair/conversation-checks.ts';
import { differenceWriter } from '../checkpoint/repair/differences.ts';
import { insideReader } from '../checkpoint/base/inside-messages.ts';
import { receiptIds } from '../checkpoint/delivery/receipt-ids.ts';
import { seenMessages } from '../checkpoint/repair/seen-messages.ts';
import type { Store } from '../checkpoint/base/store.ts';

/** Where a verification writes down what it meets, misses and finds. All of it in SQLite: memory stays flat. */
export type Findings = ReturnType<typeof openFindings>;

/**
 * Forgets what an earlier verification of the same connection met.
 *
 * @param insideOnly Only messages that `chooseInside` wrote down are compared.
 */
export function openFindings({ db }: Store, destination: number, insideOnly: boolean) {
  const homeOf = db
    .prepare<[string, number, string], number>(
      `SELECT conversation FROM message WHERE muid = ? AND verdict <> 'repeated' AND conversation IS NOT NULL
       UNION ALL SELECT m.conversation FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = ? AND d.muid = ?
       LIMIT 1`,
    )
    .pluck();
  return {
    seen: seenMessages(db),
    absent: absentMessages(db, destination, insideOnly),
    receipts: receiptIds(db, destination),
    differences: differenceWriter(db, destination),
    saveCheck: checkWriter(db, destination, insideOnly ? 'inside' : 'whole'),
    dropCheck: checkDropper(db, destination),
    isInside: insideOnly ? insideReader(db) : () => true,
    /** The conversation to which a muid belongs; nothing if the store does not know it. */
    homeOf: (muid: string): number | undefined => homeOf.get(muid, destination, muid),
  };
}
