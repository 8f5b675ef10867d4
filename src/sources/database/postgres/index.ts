import { SourceError } from '../../../lib/errors.ts';
import type { DatabaseAddress } from '../address/address.ts';
import { readTable } from '../address/unreachable.ts';
import type { Database, OpenGiven, RowConditions, RowsSince } from '../database.ts';
import { type PostgresColumn, type PostgresTable, readCatalogue } from './catalogue.ts';
import { type CredentialPlaces, refuseVariables } from './credentials.ts';
import { type CursorQuery, readCursor } from './cursor.ts';
import { cellBytesMax } from '../row-lists.ts';
import { quoted } from './identifier.ts';
import { isReadable, rightsProblems } from './rights.ts';
import { PostgresSession } from './session.ts';

export type PostgresGiven = OpenGiven & CredentialPlaces;

/**
 * Opens a PostgreSQL database, from version 12 on. Uses one connection and one read-only transaction, so all rows are
 * from the same moment. Tables may be read at the same time; their statements wait for each other.
 *
 * @throws UsageError for credentials, certificates or variables that cannot be used, or if the package `pg` is missing;
 *   DatabaseUnreachable if the same command may succeed later; SourceError if the server refuses the login.
 */
export async function openPostgres(address: DatabaseAddress, given: PostgresGiven): Promise<Database> {
  refuseVariables(given.env);
  const session = await PostgresSession.open(address, given, given.signal);
  try {
    const catalogue = await readCatalogue(session);
    const wanted = given.tables && new Set(given.tables);
    const tables = catalogue.tables.filter(({ table }) => wanted?.has(table.name) ?? true);
    return makeDatabase(session, address, tables.filter(isReadable), rightsProblems({ ...catalogue, tables }));
  } catch (error) {
    await session.close();
    throw error;
  }
}

function makeDatabase(
  session: PostgresSession,
  address: DatabaseAddress,
  tables: readonly PostgresTable[],
  problems: Database['problems'],
): Database {
  const byName = new Map(tables.map((table) => [table.table.name, table]));
  let cursors = 0;
  async function* read(name: string, queryFor: (table: PostgresTable) => CursorQuery, signal?: AbortSignal) {
    const table = byName.get(name);
    if (!table) throw new Error(`no table "${name}"`);
    if (table.hasRowSecurity) throw rowsHidden(address, name);
    cursors += 1;
    const query = queryFor(table);
    yield* readTable(session, name, signal, () => readCursor(session, `chatferry_${cursors}`, query));
  }
  return {
    system: 'PostgreSQL',
    tables: tables.map(({ table }) => table),
    problems: [...session.problems, ...problems],
    clock: session.clock,
    rows: (name, columns, signal, since) => read(name, (table) => makeQuery(table, columns, since), signal),
    rowsOfKey: ({ name }, columns, key) => read(name, (table) => makeKeyQuery(table, columns, key)),
    rowsWhere: (name, columns, conditions) => read(name, (table) => makeConditionQuery(table, columns, conditions)),
    close: () => session.close(),
  };
}

/** Partitions are read with their parent. The server reads a parameter as a value of its column's type. */
function makeQuery(table: PostgresTable, names: readonly string[], since?: RowsSince): CursorQuery {
  const changed = since && quoted(columnNamed(table, since.column).name);
  return changed === undefined
    ? selected(table, names)
    : selected(table, names, { where: `${changed} >= $1 OR ${changed} IS NULL`, values: [since!.from] });
}

/** The row whose primary key has these values, as texts. */
function makeKeyQuery(table: PostgresTable, names: readonly string[], key: readonly string[]): CursorQuery {
  const columns = table.table.primaryKey.map((name) => columnNamed(table, name));
  const where = columns.map(({ name }, index) => `${quoted(name)} = $${index + 1}`).join(' AND ');
  const values = columns.map(({ isBytes }, index) => (isBytes ? `\\x${key[index]}` : key[index]!));
  return selected(table, names, { where, values });
}

function makeConditionQuery(
  table: PostgresTable,
  names: readonly string[],
  { anyOf, max }: RowConditions,
): CursorQuery {
  const conditions = anyOf.map(({ column, isOneOf }, index) => {
    const { isBytes } = columnNamed(table, column);
    const text = isBytes ? `pg_catalog.encode(${quoted(column)}, 'hex')` : `${quoted(column)}::pg_catalog.text`;
    // Hashed once: with an array, each row would be compared with each value.
    return `coalesce(${text}, '') ${isOneOf ? '' : 'NOT '}IN (SELECT pg_catalog.json_array_elements_text($${index + 1}::pg_catalog.json))`;
  });
  const query = selected(table, names, {
    where: conditions.join(' OR '),
    values: anyOf.map(({ values }) => JSON.stringify(values)),
  });
  return { ...query, sql: `${query.sql} LIMIT ${max}` };
}

function selected(
  table: PostgresTable,
  names: readonly string[],
  only?: { readonly where: string; readonly values: readonly string[] },
): CursorQuery {
  const chosen = names.map((name) => columnNamed(table, name));
  const all = `SELECT ${chosen.map(boundedCell).join(', ')} FROM ${table.from}`;
  return {
    sql: only === undefined ? all : `${all} WHERE ${only.where}`,
    values: only?.values ?? [],
    areBytes: chosen.map(({ isBytes }) => isBytes),
  };
}

/** Types of which a value may be large, and is written as the same text by a cast: `character` would lose spaces, `inet` get a mask. */
const large = /^(?:text|character varying|jsonb?|xml|citext|hstore|tsvector|.*\[\])$/;

/** The server keeps a value apart, compressed to less than a two hundredth at best, from about that size on. */
const smallBytes = 2000;

/** The driver takes a row as a whole: of a cell that is too large only so much is asked for as shows that it is. */
function boundedCell({ name, type, isBytes }: PostgresColumn): string {
  const cell = quoted(name);
  if (!isBytes && !large.test(type)) return cell;
  const whole = isBytes ? cell : `${cell}::pg_catalog.text`;
  // Bytes are two digits each.
  const lengthMax = isBytes ? cellBytesMax / 2 : cellBytesMax;
  return `CASE WHEN pg_catalog.pg_column_size(${cell}) > ${smallBytes} AND pg_catalog.octet_length(${whole}) > ${lengthMax}
    THEN pg_catalog.substr(${whole}, 1, ${lengthMax + 1}) ELSE ${whole} END`;
}

function columnNamed({ table, columns }: PostgresTable, name: string): PostgresColumn {
  const column = columns.find((one) => one.isReadable && one.name === name);
  if (!column) throw new Error(`no column "${name}" in "${table.name}"`);
  return column;
}

const rowsHidden = ({ shown, user }: DatabaseAddress, name: string): SourceError =>
  new SourceError(`Cannot read the table "${name}" of ${shown}: policies hide rows of it from this user`, {
    hint: `Row security would leave messages out in silence. As a superuser: ALTER ROLE ${quoted(user)} BYPASSRLS`,
  });
