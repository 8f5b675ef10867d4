import type { Statement } from 'better-sqlite3';
import { SourceError } from '../../../lib/errors.ts';
import type { Location } from '../../../lib/text/location.ts';
import { oneLine, truncate } from '../../../lib/text/plain-text.ts';
import { type Columns, indexColumns, valueInCells } from '../cell-row.ts';
import type { Row } from '../row.ts';
import { queryPath, type Role } from '../roles.ts';
import { isSqliteError } from './copy-fault.ts';
import type { ExportCopy } from './export-copy.ts';
import { namesInQuery } from './query-names.ts';
import { docsLink } from '../../../lib/docs-link.ts';

/** A query that may be run. */
export interface PreparedQuery {
  /** Location to report for its rows: `query of messages`. */
  readonly path: string;
  readonly rows: () => Generator<readonly Row[]>;
}

const rowsPerList = 250;
/** UTF-16 units in a list: a row may hold megabytes. */
const lengthPerList = 1024 * 1024;

/**
 * @param known Names of all tables of the export, for a message.
 * @throws SourceError if it is not one SELECT that can be run on these tables.
 */
export function prepareQuery(role: Role, text: string, copy: ExportCopy, known: readonly string[]): PreparedQuery {
  const statement = prepared(role, text, copy, known);
  const columns = statement.columns().map(({ name }) => name);
  const twice = columns.find((name, index) => columns.indexOf(name) < index);
  if (twice !== undefined)
    throw refused(
      role,
      text,
      `it has two columns called ${JSON.stringify(twice)}; expected a name for each: ${twice} AS another_name`,
    );
  const path = queryPath(role);
  return { path, rows: () => readRows(statement, columns, path, role) };
}

function prepared(role: Role, text: string, copy: ExportCopy, known: readonly string[]): Statement<[], unknown[]> {
  const { verb } = namesInQuery(text);
  if (verb !== 'SELECT' && verb !== 'WITH')
    throw refused(role, text, `it begins with ${verb || 'nothing'}; expected one SELECT`);
  let statement: Statement<[], unknown[]>;
  try {
    statement = copy.db.prepare<[], unknown[]>(text);
  } catch (error) {
    // More than one statement is a RangeError.
    if (!isSqliteError(error) && !(error instanceof RangeError)) throw error;
    throw refused(role, text, `${error.message}${whatThereIs(error.message, copy, known)}`);
  }
  if (!statement.reader || !statement.readonly)
    throw refused(role, text, 'it changes something; expected one SELECT that only reads');
  return statement.raw().safeIntegers();
}

/** For a name that there is not: those that there are. */
function whatThereIs(message: string, { columns }: ExportCopy, known: readonly string[]): string {
  if (message.startsWith('no such table')) return `; the tables are ${listed(known)}`;
  if (!message.startsWith('no such column')) return '';
  const tables = [...columns].map(([table, names]) => `${JSON.stringify(table)} has ${listed(names)}`);
  return `; ${tables.join('; ')}`;
}

const listedMax = 50;

const listed = (names: readonly string[]): string =>
  names.length === 0
    ? 'none'
    : names
        .slice(0, listedMax)
        .map((name) => JSON.stringify(name))
        .join(', ') + (names.length > listedMax ? ` and ${names.length - listedMax} more` : '');

const refused = (role: Role, text: string, why: string): SourceError =>
  new SourceError(`Cannot run source.tables.${role}.query (${JSON.stringify(truncate(oneLine(text), 80))}): ${why}`, {
    hint: `${docsLink('reference/sources/tables')} explains queries, under "Queries"`,
  });

/** Rows one by one from the database, in lists. @throws SourceError if SQLite fails over a value. */
function* readRows(
  statement: Statement<[], unknown[]>,
  names: readonly string[],
  path: string,
  role: Role,
): Generator<readonly Row[]> {
  const columns = indexColumns(names);
  let list: Row[] = [];
  let line = 0;
  let length = 0;
  try {
    for (const values of statement.iterate()) {
      line += 1;
      for (const value of values) if (typeof value === 'string') length += value.length;
      list.push(new QueryRow(values, columns, { path, line }));
      if (list.length < rowsPerList && length < lengthPerList) continue;
      yield list;
      list = [];
      length = 0;
    }
  } catch (error) {
    if (!isSqliteError(error) || error.code !== 'SQLITE_ERROR') throw error;
    throw refused(role, statement.source, `row ${line + 1}: ${error.message}`);
  }
  yield list;
}

/** A row of a result. */
class QueryRow implements Row {
  readonly type = 'row';
  readonly location: Location;
  readonly #values: readonly unknown[];
  readonly #columns: Columns;

  constructor(values: readonly unknown[], columns: Columns, location: Location) {
    this.location = location;
    this.#values = values;
    this.#columns = columns;
  }

  get(name: string): unknown {
    const index = this.#columns.indexes.get(name);
    return index === undefined ? valueInCells(this.#columns, this.#values, name) : plainValue(this.#values[index]);
  }

  names(): readonly string[] {
    return this.#columns.names;
  }
}

/** Whole numbers stay exact, whatever their length; bytes are no text, and shown as digits. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value >= -maxSafe && value <= maxSafe ? Number(value) : String(value);
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
