import { oneAhead } from '../../../lib/flow/one-ahead.ts';
import type { DatabaseRow } from '../database.ts';
import { readCells, lengthOf, type RawValue } from './cells.ts';
import { quoted } from './identifier.ts';
import { behind, type TableKey } from './key.ts';
import type { MysqlSession } from './session.ts';
import { boundedCell, type TableQuery } from './table-query.ts';

/** Bytes that one page should bring: two of them are in memory at a time. */
const bytesWanted = 2 * 1024 * 1024;
/** Rows behind these are let go, and asked for again with the next page. */
const bytesMax = 4 * bytesWanted;
const rowsMax = 5000;
/** Nothing is known of the rows yet: 64 MB where each has a cell of the most that is read. */
const rowsFirst = 4;

interface Page {
  readonly rows: readonly DatabaseRow[];
  readonly bytes: number;
  /** Condition for the rows after it; undefined if there are none. */
  readonly next: string | undefined;
}

/**
 * Reads a table page by page in the order of a unique key, each page a statement of its own: however slowly they are taken, the server has
 * nothing to wait for. While one is looked at, the next one comes.
 */
export async function* readPages(
  session: MysqlSession,
  query: TableQuery,
  key: TableKey,
): AsyncGenerator<readonly DatabaseRow[]> {
  yield* oneAhead(pages(session, query, key));
}

async function* pages(session: MysqlSession, query: TableQuery, key: TableKey) {
  let wanted = rowsFirst;
  let condition: string | undefined;
  do {
    const page = await readPage(session, query, key, { wanted, condition });
    if (page.rows.length > 0) yield page.rows;
    wanted = nextCount(page);
    condition = page.next;
  } while (condition !== undefined);
}

async function readPage(
  session: MysqlSession,
  { columns, from }: TableQuery,
  key: TableKey,
  { wanted, condition }: { readonly wanted: number; readonly condition: string | undefined },
): Promise<Page> {
  const keyNames = key.columns.map(({ name }) => `t.${quoted(name)}`);
  const names = [...columns.map((column) => boundedCell(column, 't.')), ...keyNames];
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  const sql = `SELECT ${names.join(', ')} FROM ${from} AS t FORCE INDEX (${quoted(key.index)})${where} ORDER BY ${keyNames.join(', ')} LIMIT ${wanted}`;
  const shapes = columns.map(({ shape }) => shape);
  const rows: DatabaseRow[] = [];
  let last: readonly RawValue[] = [];
  let bytes = 0;
  let isCut = false;
  await session.each(sql, (values) => {
    isCut ||= bytes >= bytesMax;
    if (isCut) return;
    bytes += lengthOf(values);
    rows.push({ values: readCells(values, shapes) });
    last = values;
  });
  const isLast = !isCut && rows.length < wanted;
  return { rows, bytes, next: isLast ? undefined : behind(key, last.slice(columns.length)) };
}

/** Returns the number of rows of the next page. At most ten times as many: narrow rows may come before wide ones. */
function nextCount({ rows, bytes }: Page): number {
  const fitting = Math.floor((bytesWanted * rows.length) / Math.max(bytes, 1));
  return Math.max(1, Math.min(rowsMax, fitting, rows.length * 10));
}
