import type { Database } from 'better-sqlite3';
import { RowCounts } from './row-counts.ts';
import { insertSql, type RowHome, type RowWriter, valuesOf } from './stage-rows.ts';
import type { StagedRow } from './staged-item.ts';

/** Writes rows into an empty table without indexes. */
export interface AppendingWriter extends RowWriter {
  /** @returns Bytes of the payload, if there is one. */
  save(row: StagedRow, home: RowHome): number | null;
  /** Counts of all rows so far. */
  readonly counts: RowCounts;
}

/** Rows keep the order in which they were read. */
export function appendRows(db: Database): AppendingWriter {
  const insert = db.prepare(insertSql);
  const counts = new RowCounts();
  return {
    counts,
    beginFile() {},
    save(row, home) {
      counts.add(row, home);
      insert.run(...valuesOf(row, home));
      return row.payload === null ? null : Buffer.byteLength(row.payload);
    },
  };
}
