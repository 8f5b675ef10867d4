import type { ExportInput } from '../../../io/input/export-input.ts';
import { readCsvTable } from '../../kit/rows/csv-table.ts';
import { brokenRow, type Row } from './row.ts';
import { columns, tableKind, type TableKind, tableRow, unneeded } from './table-rows.ts';

export interface TableNotes {
  /** Rows that are no messages. */
  other(what: string): void;
  /** A column that is not read has a value. */
  column(name: string): void;
}

/** The beginning of a CSV file: its columns. */
export interface CsvHead {
  readonly kind: TableKind;
  readonly delimiter: string;
}

export function csvHead(head: string): CsvHead | undefined {
  const line = head.replace(/^\ufeff/, '').split(/\r?\n/, 1)[0]!;
  for (const delimiter of [',', ';', '\t']) {
    const kind = tableKind(line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1')));
    if (kind !== undefined) return { kind, delimiter };
  }
  return undefined;
}

/** @throws SourceError */
export async function* csvRows(
  input: ExportInput,
  path: string,
  { kind, delimiter }: CsvHead,
  notes: TableNotes,
): AsyncGenerator<readonly Row[]> {
  const known = new Set([...columns[kind], ...unneeded]);
  let others: readonly string[] | undefined;
  for await (const rows of readCsvTable(input, path, delimiter)) {
    const found: Row[] = [];
    for (const { location, cell, names, fault } of rows) {
      if (fault !== undefined) {
        found.push(brokenRow(location, 'xmpp-bad-row', fault));
        continue;
      }
      others ??= [...names].filter((name) => !known.has(name));
      for (const name of others) if (cell(name) !== undefined) notes.column(name);
      const row = tableRow(kind, cell, location);
      if (typeof row === 'string') notes.other(row);
      else found.push(row);
    }
    yield found;
  }
}
