import { otherNames } from './tables/unmapped.ts';

/** A column or field that nothing reads. */
export interface UnreadColumn {
  readonly name: string;
  /** Rows that have a value. */
  readonly rows: number;
  /** Where it is not of messages: of which table. */
  readonly table?: string;
}

/** What a reading has said of columns that are not migrated, over all files. */
export class NotCarried {
  readonly #columns = new Map<string, UnreadColumn>();

  note({ column, count = 1, table }: { column?: string; count?: number; table?: UnreadColumn['table'] }): void {
    if (column === undefined) return;
    const key = `${table}\n${column}`;
    const rows = (this.#columns.get(key)?.rows ?? 0) + count;
    this.#columns.set(key, { name: column, rows, ...(table && { table }) });
  }

  /** Most values first. */
  list(): readonly UnreadColumn[] {
    return [...this.#columns.values()].sort((a, b) => b.rows - a.rows);
  }
}

/** What can be kept as custom data of messages: of what stands inside a list, the list. With the rows of the first of it. */
export function keepableColumns(columns: readonly UnreadColumn[]): readonly UnreadColumn[] {
  const found = new Map<string, UnreadColumn>();
  for (const { name, rows, table } of columns) {
    const column = name.split('[]')[0]!;
    if (table === undefined && name !== otherNames && !found.has(column)) found.set(column, { name: column, rows });
  }
  return [...found.values()];
}
