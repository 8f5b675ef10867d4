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

/** Rows that come without a wait, in lists. Signals and timers have their turn between two lists; what came before an error is handed on first. */
export async function* inRowLists(rows: Iterable<DatabaseRow>): AsyncGenerator<readonly DatabaseRow[]> {
  let list: DatabaseRow[] = [];
  let length = 0;
  try {
    for (const row of rows) {
      list.push(row);
      for (const value of row.values) length += value?.length ?? 0;
      if (list.length < rowsPerList && length < lengthPerList) continue;
      yield list;
      list = [];
      length = 0;
      await nextTurn();
    }
  } catch (error) {
    yield list;
    throw error;
  }
  yield list;
}
