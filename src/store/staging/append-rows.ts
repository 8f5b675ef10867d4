import type { Database } from 'better-sqlite3';
import { RowBuffer } from '../base/row-buffer.ts';
import { RowCounts } from './row-counts.ts';
import { insertSql, type RowWriter, valuesOf } from './stage-rows.ts';

/** Writes rows into an empty table without indexes, several at a time. The caller flushes before it commits. */
export interface AppendingWriter extends RowWriter {
  /** Counts of all rows so far. */
  readonly counts: RowCounts;
}

/** Rows keep the order in which they were read. */
export function appendRows(db: Database): AppendingWriter {
  const rows = new RowBuffer(db, insertSql);
  const counts = new RowCounts();
  return {
    counts,
    beginFile() {},
    flush: () => rows.flush(),
    save(row, home) {
      counts.add(row, home);
      rows.add(valuesOf(row, home));
    },
  };
}
