import type { RowConditions, RowsSince } from '../database.ts';
import type { MysqlTable } from './catalogue.ts';
import type { MysqlColumn } from './column.ts';
import { cellBytesMax } from '../row-lists.ts';
import { quoted } from './identifier.ts';
import { chooseLiteral } from './key.ts';

/** The part of a table that is read. */
export interface TableQuery {
  readonly columns: readonly MysqlColumn[];
  /** As a statement names it. */
  readonly from: string;
  /** A condition; absent if all rows are read. */
  readonly where?: string | undefined;
  /** Rows at most. Default: all. */
  readonly max?: number;
}

/** Types of which a value may be larger than is read. */
const large: ReadonlySet<string> = new Set(['mediumtext', 'longtext', 'mediumblob', 'longblob', 'json']);

/** The driver takes a row as a whole: of a cell that is too large only so much is asked for as shows that it is. @param from As a prefix of the name: `t.` */
export function boundedCell({ name, dataType, shape }: MysqlColumn, from = ''): string {
  const cell = `${from}${quoted(name)}`;
  // Bytes are two digits each.
  const lengthMax = shape === 'bytes' ? cellBytesMax / 2 : cellBytesMax;
  return large.has(dataType)
    ? `IF(OCTET_LENGTH(${cell}) > ${lengthMax}, LEFT(${cell}, ${lengthMax + 1}), ${cell})`
    : cell;
}

/** @param names Names of columns that the role may read. */
export function makeQuery(table: MysqlTable, names: readonly string[], since?: RowsSince): TableQuery {
  const where = since && sinceCondition(columnNamed(table, since.column), since.from);
  return selected(table, names, where);
}

/** The row whose primary key has these values, as the database gives them; undefined if the server has no literals for them. */
export function makeKeyQuery(
  table: MysqlTable,
  names: readonly string[],
  key: readonly string[],
): TableQuery | undefined {
  const conditions: string[] = [];
  for (const [index, name] of table.table.primaryKey.entries()) {
    const column = columnNamed(table, name);
    const value = literalOfText(column, key[index]!);
    if (value === undefined) return undefined;
    conditions.push(`${quoted(name)} = ${value}`);
  }
  return selected(table, names, conditions.join(' AND '));
}

export function makeConditionQuery(
  table: MysqlTable,
  names: readonly string[],
  { anyOf, max }: RowConditions,
): TableQuery {
  const conditions = anyOf.map(({ column, values, isOneOf }) => {
    const { shape } = columnNamed(table, column);
    const cell = shape === 'bytes' ? `LOWER(HEX(${quoted(column)}))` : `CONVERT(${quoted(column)} USING utf8mb4)`;
    // Byte by byte: a collation takes letters of both cases, with and without marks, for the same.
    const wanted = values.map((value) => `x'${Buffer.from(value).toString('hex')}'`);
    return `CAST(COALESCE(${cell}, '') AS BINARY) ${isOneOf ? '' : 'NOT '}IN (${wanted.join(', ')})`;
  });
  return { ...selected(table, names, conditions.join(' OR ')), max };
}

function selected(table: MysqlTable, names: readonly string[], where: string | undefined): TableQuery {
  return { columns: names.map((name) => columnNamed(table, name)), from: quoted(table.table.name), where };
}

function columnNamed({ table, columns }: MysqlTable, name: string): MysqlColumn {
  const column = columns.find((one) => one.name === name);
  if (!column) throw new Error(`no column "${name}" in "${table.name}"`);
  return column;
}

/** Undefined for a text that is no value of the column. */
function literalOfText(column: MysqlColumn, text: string): string | undefined {
  const value = column.shape === 'bytes' ? Buffer.from(text, 'hex') : Buffer.from(text.replace(/\+00:00$/, ''));
  try {
    return chooseLiteral(column)?.(value);
  } catch {
    return undefined;
  }
}

/** All rows if the server has no literal for the column's type. */
function sinceCondition(column: MysqlColumn, from: string): string | undefined {
  // TIMESTAMP is given with its zone, and compared in that of the session, which is the same.
  const bound = chooseLiteral(column)?.(Buffer.from(from.replace(/\+00:00$/, '')));
  return bound === undefined ? undefined : `${quoted(column.name)} >= ${bound} OR ${quoted(column.name)} IS NULL`;
}
