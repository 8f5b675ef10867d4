import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellText, DatabaseRow } from './database.ts';

const rowsPerList = 500;
/** UTF-16 units in a list: a row may hold megabytes. */
const lengthPerList = 1024 * 1024;

/** Rows that come without a wait, in lists. Signals and timers have their turn between two lists; what came before an error is handed on first. */
export async function* inRowLists(rows: Iterable<readonly CellText[]>): AsyncGenerator<readonly DatabaseRow[]> {
  let list: DatabaseRow[] = [];
  let length = 0;
  try {
    for (const values of rows) {
      list.push({ values });
      for (const value of values) length += value?.length ?? 0;
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
