import type { ExportInput } from '../../../io/input/export-input.ts';
import { readCsvTable } from '../../kit/rows/csv-table.ts';
import { brokenRow, type Row } from './row.ts';
import { isColumn, tableKind, type TableKind, tableRow } from './table-rows.ts';

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
  for await (const rows of readCsvTable(input, path, (name) => isColumn(kind, name), delimiter)) {
    const found: Row[] = [];
    for (const { location, cell, fault } of rows) {
      if (fault !== undefined) {
        found.push(brokenRow(location, 'xmpp-bad-row', fault));
        continue;
      }
      const row = tableRow(kind, cell, location);
      if (typeof row === 'string') notes.other(row);
      else found.push(row);
    }
    yield found;
  }
}
