import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { TableOutline } from '../table-source.ts';

/** One row of a table, whatever the format. */
export interface Row {
  readonly type: 'row';
  /**
   * Returns the value of a column (csv: its text) or of a path (json: a value; csv: inside the JSON of a cell; integers
   * that a JavaScript number cannot hold are text already). Returns undefined if the name does not exist. Reads own
   * properties only: no name reaches a prototype.
   */
  get(name: string): unknown;
  /** Every column, or the paths of this row's values. For proposals and messages, not for every row. */
  names(): readonly string[];
  readonly location: Location;
  /**
   * Its place among the rows of its table, from a key of the database: it stays when the row is edited, or others come and go. Without it rows
   * are counted.
   */
  readonly number?: number | undefined;
}

/** A row, or the entry in its place: an invalid row or a problem. */
export type RowStep = Row | Extract<Entry, { type: 'invalid' | 'problem' }>;

/** How a format gives its rows. `Table` is the format's own shape of an element of `tables`. */
export interface RowReader<Table> {
  /**
   * Reads the rows of one table of one file, in order, in lists cut anywhere. Damage yields a step in place of the row.
   *
   * @param table Undefined if the mapping has no `tables`.
   * @param others The other tables of the file that are read, if the rest of the file is to be reported.
   * @throws SourceError if the file cannot be read (any further): the caller makes an invalid row of it.
   */
  rows(path: string, table: Table | undefined, others?: readonly Table[]): AsyncIterable<readonly RowStep[]>;
  /**
   * The tables of a file as queries call them, by a look at its beginning.
   *
   * @param declared Tables of this file that the mapping names.
   * @throws SourceError if the file cannot be read.
   */
  tablesIn(path: string, declared: readonly Table[]): Promise<readonly NamedTable<Table>[]>;
  /** The columns of a file of fixed columns, where it may have no rows. @throws SourceError if the file cannot be read. */
  readColumns?(path: string): Promise<readonly string[]>;
  /**
   * Returns fields of this table's rows that other tables of its file read: `messages`, if the messages are inside
   * these rows; `$outer`, if this table is.
   */
  readByOthers?(table: Table | undefined, others: readonly (Table | undefined)[]): readonly string[];
  /** Finds rows that meet one of some conditions without giving the others, where a database can. At most `max`. */
  rowsWhere?(path: string, anyOf: readonly CellCondition[], max: number): AsyncIterable<readonly RowStep[]>;
  /** About how many rows a table has, if that is known without reading them; `max` for more than these. */
  rowsAbout?(path: string, max: number): number | undefined;
  /** Whether every row of a file has the same names: then a name that the first row does not have is a mistake. */
  readonly hasFixedNames: boolean;
}

/** Whether a cell, as text, is one of some values or none of them. NULL counts as an empty text. */
export interface CellCondition {
  readonly column: string;
  readonly values: readonly string[];
  readonly isOneOf: boolean;
}

/** A table of an export as queries call it. */
export interface NamedTable<Table> {
  readonly name: string;
  readonly table: Table | undefined;
}

/** The first rows of one table of the export: about 1,000 rows or 4 MiB. */
export interface TableSample {
  readonly path: string;
  /** The `tables` element without the file, if the format has more keys: `{ list }`. */
  readonly table: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
  /** Whether the table has more rows than these: then all of it is looked at for what they do not show. */
  readonly isCut?: boolean;
  /** Whether it may have more rows that nobody looks at. */
  readonly mayHaveMore?: boolean;
  /** Name of a table that is in several files in parts, whatever columns each part has. */
  readonly partOf?: string;
  /** Name of the table, if its path does not give it. */
  readonly name?: string;
  /** Name of the table in a query, if it differs: `storage.objects`. */
  readonly nameInQuery?: string;
  /** Keys and words of its columns from a catalogue. */
  readonly declared?: DeclaredKeys;
}

/** A table of which the names of its columns are all that is known. */
export const makeOutline = (name: string, columns: readonly string[]): TableOutline => ({
  name,
  isView: false,
  columns: columns.map((column) => ({ name: column, type: '' })),
  primaryKey: [],
  references: [],
});

/** Keys and words that a database declares. */
export interface DeclaredKeys {
  /** Columns of the primary key; empty if there is none. */
  readonly primaryKey: readonly string[];
  /** Columns that name rows of other tables, by themselves. */
  readonly references: readonly DeclaredReference[];
  /** By column, all words that it may hold: those of an enum type. Some may be in no row yet. */
  readonly words?: ReadonlyMap<string, readonly string[]>;
  /** Comments of the makers of the database, by column. */
  readonly comments?: ReadonlyMap<string, string>;
}

export interface DeclaredReference {
  readonly column: string;
  /** Path of the table that it points to. */
  readonly path: string;
  /** The column there. */
  readonly key: string;
}

/** Returns the name of a sample's table. */
export const sampleName = ({ name, path }: TableSample): string => name ?? tableNameOf(path);

/** Returns the name of a table in a query: its file without folders and ending. `auth.users` for `dump/auth.users.csv.gz`. */
export function tableNameOf(path: string): string {
  const file = path.split('/').at(-1)!.replace(/\.gz$/i, '');
  return file.replace(/(?!^)\.[^.]*$/, '');
}

/** Parses paths such as `user.name` and `files.0.url`. A key that holds a dot is in quotes: `"first.name".value`. */
export function parsePath(path: string): readonly string[] {
  if (!path.includes('.') && !path.includes('"')) return [path];
  const steps = [...path.matchAll(/"((?:[^"]|"")*)"(?:\.|$)|([^."][^.]*|)(?:\.|$)/gy)];
  // Quotes that do not match: no path, but a name.
  if (steps.reduce((sum, [step]) => sum + step.length, 0) < path.length) return [path];
  const keys = steps.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!);
  // The pattern matches once more, with nothing, at the end of the text.
  if (keys.at(-1) === '' && !path.endsWith('.')) keys.pop();
  return keys.length > 0 ? keys : [path];
}

/** A key as a step of a path. */
export const pathStep = (key: string): string =>
  /[."]/.test(key) || key === '' ? `"${key.replaceAll('"', '""')}"` : key;

/** The value at a path, also inside of JSON that is text. Own properties only: `__proto__` and `length` are names like any other. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at === 'string') at = parseCell(at);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** Access to the text of a number, which TypeScript does not know yet. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context!.source
    : value;

/** JSON in which an integer too large for a number stays exact, as text. Undefined for what is no JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return /\d{16}/.test(text)
      ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path into the JSON that a cell holds: `meta.deleted` if there is a column `meta`. */
export interface CellPath {
  readonly column: string;
  readonly keys: readonly string[];
}

/** Returns the longest prefix of a path that is a column. Returns undefined if there is none, and for the name of a column itself. */
export function cellPath(name: string, isColumn: (name: string) => boolean): CellPath | undefined {
  const keys = isColumn(name) ? [] : parsePath(name);
  for (let count = keys.length - 1; count > 0; count -= 1) {
    const column = keys.slice(0, count).join('.');
    if (isColumn(column)) return { column, keys: keys.slice(count) };
  }
  return undefined;
}

/**
 * Returns the JSON value in a cell. Some programs encode it as text once more: `"{\"deleted\": true}"`. Returns
 * undefined if the cell holds no JSON.
 */
export function parseCell(text: string): unknown {
  const value = /^\s*["[{]/.test(text) ? parseExactJson(text) : undefined;
  return typeof value === 'string' ? parseExactJson(value) : value;
}

/** Returns the value at a path inside a text that is JSON; undefined if there is none. */
export const valueInJson = (text: string, keys: readonly string[]): unknown => valueAt(parseCell(text), keys);
