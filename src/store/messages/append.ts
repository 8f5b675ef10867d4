import type { Database } from 'better-sqlite3';
import type { StagedRow } from '../../model/staged-item.ts';
import { RowBuffer } from '../base/row-buffer.ts';
import { RowCounts } from './row-counts.ts';
import { insertSql, type RowHome, valuesOf } from './rows.ts';

/**
 * Writes rows into an empty table without indexes, several at a time, in the order in which they were read. Identities that come twice are
 * found afterwards (`markRepeated`).
 */
export class RowAppender {
  /** Counts of all rows so far. */
  readonly counts = new RowCounts();
  readonly #rows: RowBuffer;

  constructor(db: Database) {
    this.#rows = new RowBuffer(db, insertSql);
  }

  beginFile(): void {}

  save(row: StagedRow, home: RowHome): void {
    this.counts.add(row, home);
    this.#rows.add(valuesOf(row, home));
  }

  flush(): void {
    this.#rows.flush();
  }
}
