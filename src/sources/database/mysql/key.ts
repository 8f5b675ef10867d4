import type { RawValue } from './cells.ts';
import type { MysqlColumn } from './column.ts';
import { quoted } from './identifier.ts';
import type { Answer } from './session.ts';

/** A unique key without NULL, in the order of which rows can be asked for, and after which of them. */
export interface TableKey {
  readonly index: string;
  readonly columns: readonly MysqlColumn[];
}

export interface TableKeys {
  /** Empty if there is none, or a column of it may not be read. */
  readonly primary: readonly string[];
  readonly toReadBy: TableKey | undefined;
}

/** @param indexes Rows of one table, the columns of each index in their order. */
export function keysOfColumns(indexes: Answer, columns: readonly MysqlColumn[]): TableKeys {
  const known = new Map(columns.map((column) => [column.name, column]));
  const byName = Map.groupBy(indexes, ([, index]) => index!);
  const primary = (byName.get('PRIMARY') ?? []).map((row) => row[2]!);
  const names = [...byName.keys()].sort((a, b) => Number(b === 'PRIMARY') - Number(a === 'PRIMARY'));
  const usable = names.find((name) => byName.get(name)!.every((row) => isUsable(row, known)));
  return {
    primary: primary.every((name) => known.has(name)) ? primary : [],
    toReadBy:
      usable === undefined
        ? undefined
        : { index: usable, columns: byName.get(usable)!.map((row) => known.get(row[2]!)!) },
  };
}

function isUsable([, , name, nullable, part, type]: Answer[number], known: ReadonlyMap<string, MysqlColumn>): boolean {
  const column = known.get(name ?? '');
  return (
    column !== undefined &&
    nullable !== 'YES' &&
    part === null &&
    type === 'BTREE' &&
    chooseLiteral(column) !== undefined
  );
}

type Literal = (value: Buffer) => string;

const asNumber: Literal = (value) => plain(value, /^-?\d+(?:\.\d+)?$/);
const asTime: Literal = (value) => `'${plain(value, /^[-\d:. ]+$/)}'`;
const asBytes: Literal = (value) => `X'${value.toString('hex')}'`;

/**
 * By type. Others are left out: FLOAT and DOUBLE are compared with more digits than they show, ENUM and SET are compared as text but sorted by
 * number.
 */
const literals: Readonly<Record<string, Literal>> = {
  ...Object.fromEntries(
    ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'year'].map((type) => [type, asNumber]),
  ),
  ...Object.fromEntries(['date', 'time', 'datetime', 'timestamp'].map((type) => [type, asTime])),
  ...Object.fromEntries(['binary', 'varbinary'].map((type) => [type, asBytes])),
  uuid: (value) => `'${plain(value, /^[-\da-f]+$/i)}'`,
};

/** All of whose characters come back the same from UTF-8. */
const faithful: ReadonlySet<string> = new Set([
  'utf8mb4',
  'utf8mb3',
  'utf8',
  'ascii',
  'latin1',
  'ucs2',
  'utf16',
  'utf32',
]);

/** How a value of the column is written so that the server compares it as it sorts; nothing where it cannot be. */
export function chooseLiteral({ dataType, characterSet, collation }: MysqlColumn): Literal | undefined {
  if (Object.hasOwn(literals, dataType)) return literals[dataType];
  const isText = dataType === 'char' || dataType === 'varchar';
  if (!isText || !faithful.has(characterSet ?? '') || !/^\w+$/.test(collation ?? '')) return undefined;
  // The server's own rules for letters, case and spaces at the end apply: those of the column.
  return (value) => `CONVERT(_utf8mb4 X'${value.toString('hex')}' USING ${characterSet}) COLLATE ${collation}`;
}

/** A hostile server can send anything. */
function plain(value: Buffer, shape: RegExp): string {
  const text = value.toString('latin1');
  if (shape.test(text)) return text;
  throw new Error('a value of a key is none of its type');
}

/**
 * A condition for the rows behind one, from the values of its key: `a >= 1 AND (a > 1 OR (a = 1 AND b > 2))`. `(a, b) > (1, 2)` is the same, but
 * neither MySQL nor MariaDB looks that up in the index.
 */
export function behind(key: TableKey, values: readonly RawValue[]): string {
  const [column, ...others] = key.columns;
  const name = `t.${quoted(column!.name)}`;
  const value = chooseLiteral(column!)!(values[0]!);
  if (others.length === 0) return `${name} > ${value}`;
  const rest = behind({ ...key, columns: others }, values.slice(1));
  return `${name} >= ${value} AND (${name} > ${value} OR (${name} = ${value} AND ${rest}))`;
}
