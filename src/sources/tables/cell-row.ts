import type { Location } from '../../lib/text/location.ts';
import { type CellPath, cellPath, type Row, valueInJson } from './row.ts';

/** Columns of one table, by name. */
export interface Columns {
  readonly names: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
  /** Names that are no column, as paths into the JSON of a cell; null for those that are none. */
  readonly paths: Map<string, CellPath | null>;
}

const pathsMax = 10_000;

/** The value at a path into the JSON of one of some cells. */
export function valueInCells({ indexes, paths }: Columns, cells: readonly unknown[], name: string): unknown {
  let path = paths.get(name);
  if (path === undefined) {
    path = cellPath(name, (column) => indexes.has(column)) ?? null;
    // Names that come from data must not fill it.
    if (paths.size < pathsMax) paths.set(name, path);
  }
  const cell = path === null ? undefined : cells[indexes.get(path.column)!];
  return typeof cell === 'string' ? valueInJson(cell, path!.keys) : undefined;
}

export const indexColumns = (names: readonly string[]): Columns => ({
  names,
  indexes: new Map(names.map((name, index) => [name, index])),
  paths: new Map(),
});

/** A row whose cells are texts, or null, under the names of its table's columns. */
export class CellRow implements Row {
  readonly type = 'row';
  readonly number: number | undefined;
  readonly #location: Location | (() => Location);
  readonly #cells: readonly (string | null)[];
  readonly #columns: Columns;

  /** @param location Or how it is found out: it is needed for few rows. */
  constructor(
    cells: readonly (string | null)[],
    columns: Columns,
    location: Location | (() => Location),
    number?: number,
  ) {
    this.#cells = cells;
    this.#columns = columns;
    this.#location = location;
    this.number = number;
  }

  get location(): Location {
    return typeof this.#location === 'function' ? this.#location() : this.#location;
  }

  get(name: string): unknown {
    const index = this.#columns.indexes.get(name);
    return index === undefined ? valueInCells(this.#columns, this.#cells, name) : this.#cells[index];
  }

  names(): readonly string[] {
    return this.#columns.names;
  }
}
