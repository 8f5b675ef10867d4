import { absentMessages, receiptIds, seenMessages } from '../checkpoint/repair/listed-messages.ts';
import { checkDropper, checkWriter, differenceWriter } from '../checkpoint/repair/verify-results.ts';
import { insideReader } from '../checkpoint/base/inside-messages.ts';
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
