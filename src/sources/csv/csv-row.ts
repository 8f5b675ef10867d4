import type { Location } from '../../lib/location.ts';
import type { Row } from '../tables/row.ts';

/** Columns of one file, by name. */
export interface Columns {
  readonly names: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
}

export const columnsOf = (names: readonly string[]): Columns => ({
  names,
  indexes: new Map(names.map((name, index) => [name, index])),
});

/** A row whose cells are text, under the names of its file's header. */
export class CsvTableRow implements Row {
  readonly type = 'row';
  readonly location: Location;
  readonly #cells: readonly string[];
  readonly #columns: Columns;

  constructor(cells: readonly string[], columns: Columns, location: Location) {
    this.#cells = cells;
    this.#columns = columns;
    this.location = location;
  }

  get(name: string): string | undefined {
    const index = this.#columns.indexes.get(name);
    return index === undefined ? undefined : this.#cells[index];
  }

  names(): readonly string[] {
    return this.#columns.names;
  }
}
