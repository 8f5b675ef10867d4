import type { RowWriter } from '../checkpoint/staging/stage-rows.ts';
import type { Tally } from '../report/collect/tally.ts';

/** Rows of an empty table, added up on their way into it. */
export function counted(rows: RowWriter, tally: Tally): RowWriter {
  let seq = 0;
  return {
    beginFile: rows.beginFile,
    flush: rows.flush,
    save(row, home) {
      rows.save(row, home);
      seq++;
      // A further part of a text that was split is no row of the export.
      if (row.part !== undefined && row.part > 1) return;
      tally.add({
        conversation: home.conversation,
        sender: home.sender,
        sentAt: row.sentAtMs,
        verdict: row.verdict,
        reason: row.reason,
        facts: row.facts,
        seq,
        state: null,
        code: null,
        isLate: null,
        bytes: row.payload === null ? null : Buffer.byteLength(row.payload),
      });
    },
  };
}
