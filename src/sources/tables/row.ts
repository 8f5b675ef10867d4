import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';

/** One row of a table, whatever the format. */
export interface Row {
  readonly type: 'row';
  /**
   * What stands in a column (csv: its text) or at a path (json: a value; integers that a JavaScript number cannot hold
   * are text already). Undefined where there is nothing of that name. Own properties only: no name reaches a prototype.
   */
  get(name: string): unknown;
  /** Every column, or the paths of this row's values. For proposals and messages, not for every row. */
  names(): readonly string[];
  readonly location: Location;
}

/** A row, or what stands in its place: a reject (a row that cannot be read) or a problem. */
export type RowStep = Row | Extract<Entry, { type: 'reject' | 'problem' }>;

/** How a format gives its rows. `Table` is the format's own shape of an element of `tables`. */
export interface RowReader<Table> {
  /**
   * The rows of one table of one file, in lists cut anywhere, in order. What is broken is a step in its place.
   *
   * @param table Undefined where the mapping has no `tables`.
   * @throws SourceError if the file cannot be read (any further): the caller makes a reject of it.
   */
  rows(path: string, table: Table | undefined): AsyncIterable<readonly RowStep[]>;
  /** Fields of this table's rows that other tables of its file read: `messages`, where those stand inside; `$outer`, where it does. */
  readByOthers?(table: Table | undefined, others: readonly (Table | undefined)[]): readonly string[];
  /** Whether every row of a file has the same names: then a name that the first row does not have is a mistake. */
  readonly hasFixedNames: boolean;
}

/** The first rows of one table of the export: about 1,000 rows or 4 MiB. */
export interface TableSample {
  readonly path: string;
  /** What the `tables` element says besides the file, as far as the format has more: `{ list }`. */
  readonly table: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
}

/** `user.name`, `files.0.url`; a key that holds a dot stands in quotes: `"first.name".value`. */
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

/** The value at a path. Own properties only: `__proto__` and `length` are names like any other. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
