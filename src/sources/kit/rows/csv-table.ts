import type { CsvDialect } from '../../../io/csv/csv-dialect.ts';
import { readCsvRows } from '../../../io/csv/csv-rows.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { utf8Chunks } from '../../../io/text-encoding.ts';
import { formatCount } from '../../../lib/text/count.ts';
import type { Location } from '../../../lib/text/location.ts';

/** A row below the header, or why it cannot be read. */
export type CsvTableRow =
  | {
      readonly location: Location;
      /** Value of a column; undefined if the table has no such column, or the cell is empty. */
      readonly cell: (name: string) => string | undefined;
      /** Names of the columns, in order. */
      readonly names: Iterable<string>;
      readonly fault?: never;
    }
  | { readonly location: Location; readonly fault: string; readonly cell?: never; readonly names?: never };

const dialect: Omit<CsvDialect, 'delimiter'> = { quote: '"', escapedBy: '"', lineEnd: 'lf' };

/**
 * The rows of a table that a program always writes in the same way: UTF-8, commas or another delimiter, quotes that are doubled, names of columns in the first
 * row. In lists, for files of any size. A row with another number of fields than the header is a fault, and the next one is read. So is
 * one with a value in a column that the program does not write: it may say that the row is not for everybody, or whose it is.
 *
 *     for await (const rows of readCsvTable(input, path, isKnown)) for (const { location, cell, fault } of rows) …
 *
 * @param isKnown Whether the program writes a column of this name.
 * @throws SourceError if the file cannot be read (any further), after everything before it.
 */
export async function* readCsvTable(
  input: ExportInput,
  path: string,
  isKnown: (column: string) => boolean,
  delimiter = ',',
): AsyncGenerator<readonly CsvTableRow[]> {
  let columns: ReadonlyMap<string, number> | undefined;
  let others: readonly (readonly [name: string, index: number])[] = [];
  for await (const rows of readCsvRows(utf8Chunks(input.open(path), 'utf-8'), { ...dialect, delimiter })) {
    const found: CsvTableRow[] = [];
    for (const row of rows) {
      const location = { path, line: row.line };
      if (row.fault) found.push({ location, fault: row.fault.reason });
      else if (columns === undefined) {
        columns = new Map(row.cells.map((name, index) => [name.trim(), index]));
        others = [...columns].filter(([name]) => !isKnown(name));
      } else {
        const other = others.find(([, index]) => row.cells[index]);
        if (other === undefined) found.push(toRow(row.cells, columns, location));
        else
          found.push({
            location,
            fault: `The format has no column ${JSON.stringify(other[0].slice(0, 80))}, and the row has a value there`,
          });
      }
    }
    yield found;
  }
}

function toRow(cells: readonly string[], columns: ReadonlyMap<string, number>, location: Location): CsvTableRow {
  if (cells.length !== columns.size) {
    const fault = `Cannot read the row: expected ${formatCount(columns.size)} fields as in the header, found ${formatCount(cells.length)}`;
    return { location, fault };
  }
  return { location, cell: (name) => cells[columns.get(name) ?? -1] || undefined, names: columns.keys() };
}
