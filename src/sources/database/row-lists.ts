import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatCount } from '../../lib/text/count.ts';
import type { CellText, DatabaseRow } from './database.ts';

/** Bytes of a cell, as for a row of JSON or CSV: no message has more. */
export const cellBytesMax = 16 * 2 ** 20;

/** The fault of a row that has a larger cell. @param column Its name, if that is known. */
export const tooLarge = (column: string | undefined): NonNullable<DatabaseRow['fault']> => ({
  code: 'cell-too-large',
  reason: `${column === undefined ? 'a cell of a wanted column' : JSON.stringify(column)} has more than ${formatCount(cellBytesMax)} bytes`,
});

export const isTooLarge = (cell: CellText): boolean =>
  cell !== null && 3 * cell.length > cellBytesMax && Buffer.byteLength(cell) > cellBytesMax;

const rowsPerList = 500;
/** UTF-16 units in a list: a row may hold megabytes. */
const lengthPerList = 1024 * 1024;

/** Rows until they are enough to be handed on. */
export class RowList {
  rows: DatabaseRow[] = [];
  #length = 0;
  readonly #rowsMax: number;

  constructor(rowsMax = rowsPerList) {
    this.#rowsMax = rowsMax;
  }

  add(row: DatabaseRow): void {
    this.rows.push(row);
    for (const value of row.values) this.#length += value?.length ?? 0;
  }

  get isFull(): boolean {
    return this.rows.length >= this.#rowsMax || this.#length >= lengthPerList;
  }

  take(): readonly DatabaseRow[] {
    const { rows } = this;
    this.rows = [];
    this.#length = 0;
    return rows;
  }
}

/** Rows that come without a wait, in lists. Signals and timers have their turn between two lists; what came before an error is handed on first. */
export async function* inRowLists(rows: Iterable<DatabaseRow>): AsyncGenerator<readonly DatabaseRow[]> {
  const list = new RowList();
  try {
    for (const row of rows) {
      list.add(row);
      if (!list.isFull) continue;
      yield list.take();
      await nextTurn();
    }
  } catch (error) {
    yield list.take();
    throw error;
  }
  yield list.take();
}
