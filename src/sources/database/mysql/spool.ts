import type { DatabaseRow } from '../database.ts';
import { cellsOf } from './cells.ts';
import { quoted } from './identifier.ts';
import type { MysqlSession } from './session.ts';
import { Spool } from './spool-file.ts';
import type { TableQuery } from './table-query.ts';

/**
 * Reads all or some rows of a table or view that has no key to read it by. Uses one statement and reads as fast as the
 * server sends, so the server never waits and the connection is free for other queries. Data beyond 2 MB goes into an
 * unnamed temporary file, which disappears with the process.
 *
 * @throws SourceError also if the temporary folder is full.
 */
export async function* readSpooled(
  session: MysqlSession,
  { columns, from, where }: TableQuery,
): AsyncGenerator<readonly DatabaseRow[]> {
  // A row without columns is a row, too.
  const names = columns.length > 0 ? columns.map(({ name }) => quoted(name)) : ['1'];
  const shapes = columns.map(({ shape }) => shape);
  const spool = new Spool(names.length);
  try {
    const condition = where === undefined ? '' : ` WHERE ${where}`;
    await session.each(`SELECT ${names.join(', ')} FROM ${from}${condition}`, (values) => spool.write(values));
    for (const rows of spool.read()) yield rows.map((values) => ({ values: cellsOf(values, shapes) }));
  } finally {
    spool.close();
  }
}
