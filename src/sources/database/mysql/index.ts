import type { DatabaseAddress } from '../address/address.ts';
import { readTable } from '../address/unreachable.ts';
import type { Database, DatabaseRow, OpenGiven } from '../database.ts';
import { type MysqlCatalogue, type MysqlTable, readCatalogue } from './catalogue.ts';
import { grantsSql } from './catalogue-queries.ts';
import type { CredentialPlaces } from './credentials.ts';
import { readPages } from './pages.ts';
import { rightsProblems } from './rights.ts';
import { MysqlSession } from './session.ts';
import { boundedCell, makeConditionQuery, makeKeyQuery, makeQuery, type TableQuery } from './table-query.ts';
import { readCells } from './cells.ts';
import { Spool } from './spool-file.ts';

export type MysqlGiven = OpenGiven & CredentialPlaces;

/**
 * Opens a MySQL, from version 5.7 on, or a MariaDB, from version 10.3 on. Uses one connection and one read-only
 * transaction, so that all rows are of one moment. Tables may be read at the same time; their statements wait for each
 * other. Tables that the user may not read are not listed: neither system reports that they exist.
 *
 * @throws UsageError for credentials or certificates that cannot be used, or if the package `mysql2` is missing;
 *   DatabaseUnreachable if the same command may succeed later; SourceError if the server denies access.
 */
export async function openMysql(address: DatabaseAddress, given: MysqlGiven): Promise<Database> {
  const session = await MysqlSession.open(address, given, given.signal);
  try {
    const whole = await readCatalogue(session);
    const wanted = given.tables && new Set(given.tables);
    const catalogue = { ...whole, tables: whole.tables.filter(({ table }) => !wanted || wanted.has(table.name)) };
    const problems = rightsProblems(catalogue, await session.run(grantsSql));
    return makeDatabase(session, catalogue, [...session.problems, ...problems]);
  } catch (error) {
    await session.close();
    throw error;
  }
}

function makeDatabase(
  session: MysqlSession,
  { system, tables }: MysqlCatalogue,
  problems: Database['problems'],
): Database {
  const byName = new Map(tables.map((table) => [table.table.name, table]));
  async function* read(name: string, queryFor: (table: MysqlTable) => TableQuery | undefined, signal?: AbortSignal) {
    const table = byName.get(name);
    if (!table) throw new Error(`no table "${name}"`);
    const query = queryFor(table);
    if (query === undefined) return;
    // Without a snapshot rows may change from page to page: within one statement they do not.
    const isByPage = table.hasSnapshot && query.where === undefined;
    yield* readTable(session, name, signal, () =>
      table.key && isByPage ? readPages(session, query, table.key) : readSpooled(session, query),
    );
  }
  return {
    system,
    tables: tables.map(({ table }) => table),
    problems,
    clock: session.clock,
    rows: (name, columns, signal, since) => read(name, (table) => makeQuery(table, columns, since), signal),
    rowsOfKey: ({ name }, columns, key) => read(name, (table) => makeKeyQuery(table, columns, key)),
    rowsWhere: (name, columns, conditions) => read(name, (table) => makeConditionQuery(table, columns, conditions)),
    close: () => session.close(),
  };
}

/**
 * Reads all or some rows of a table or view that has no key to read it by. Uses one statement and reads as fast as the
 * server sends, so the server never waits and the connection is free for other queries. Data beyond 2 MB goes into an
 * unnamed temporary file, which disappears with the process.
 *
 * @throws SourceError also if the temporary folder is full.
 */
async function* readSpooled(
  session: MysqlSession,
  { columns, from, where, max }: TableQuery,
): AsyncGenerator<readonly DatabaseRow[]> {
  // A row without columns is a row, too.
  const names = columns.length > 0 ? columns.map((column) => boundedCell(column)) : ['1'];
  const shapes = columns.map(({ shape }) => shape);
  const spool = new Spool(names.length);
  try {
    const condition = `${where === undefined ? '' : ` WHERE ${where}`}${max === undefined ? '' : ` LIMIT ${max}`}`;
    await session.each(`SELECT ${names.join(', ')} FROM ${from}${condition}`, (values) => spool.write(values));
    for (const rows of spool.read()) yield rows.map((values) => ({ values: readCells(values, shapes) }));
  } finally {
    spool.close();
  }
}
