import type { DatabaseRow } from '../../database.ts';
import type { DataForm, ScannedTable } from '../scan/catalogue.ts';
import { type ColumnKind, findKind, textOfBytes, type ValueContext, type ValueFault } from './column-rule.ts';

/** Which cells of a row are wanted, and what becomes of them. */
export interface RowPlan {
  /** For each cell that may be written, the index of its value among those wanted; -1 if it is not wanted. */
  readonly targets: Int32Array;
  /** For each cell. */
  readonly kinds: readonly ColumnKind[];
  readonly names: readonly string[];
  readonly wantedCount: number;
  readonly context: ValueContext;
}

interface WantedRow {
  /** The table that the statements name: a partition has an order of columns of its own. */
  readonly table: ScannedTable;
  readonly form: DataForm;
  readonly wanted: readonly string[];
  /** Columns of which any value does for another. */
  readonly emptyAlone: readonly string[];
  readonly context: ValueContext;
}

export function planRow({ table, form, wanted, emptyAlone, context }: WantedRow): RowPlan {
  const names = form.columns ?? plainColumns(table, context);
  const isSame = context.dialect === 'postgres' ? same : sameInAnyCase;
  const targets = names.map((name) => wanted.findIndex((other) => isSame(name, other)));
  const types = names.map((name) => table.columns.find((column) => isSame(column.name, name))?.type ?? '');
  const isFlag = (name: string) => emptyAlone.some((other) => isSame(name, other));
  const kinds = types.map((type, cell) => (isFlag(names[cell]!) ? 'any' : findKind(type, context.dialect)));
  return { targets: Int32Array.from(targets), kinds, names, wantedCount: wanted.length, context };
}

/** SQLite leaves computed columns out of an INSERT that names none; the others have DEFAULT there. */
function plainColumns({ columns }: ScannedTable, { dialect }: ValueContext): string[] {
  const written = dialect === 'sqlite' ? columns.filter(({ isGenerated }) => !isGenerated) : columns;
  return written.map(({ name }) => name);
}

const same = (one: string, other: string): boolean => one === other;
const sameInAnyCase = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The values of one row, cell by cell. The first fault among those wanted is that of the row. */
export class RowValues {
  cell = 0;
  readonly #plan: RowPlan;
  readonly #nothing: readonly null[];
  #values: (string | null)[] = [];
  #fault: { readonly code: string; readonly reason: string } | undefined;

  constructor(plan: RowPlan) {
    this.#plan = plan;
    this.#nothing = new Array<null>(plan.wantedCount).fill(null);
  }

  begin(): void {
    this.cell = 0;
    this.#fault = undefined;
    this.#values = this.#nothing.slice();
  }

  get isWanted(): boolean {
    return this.cell < this.#plan.targets.length && this.#plan.targets[this.cell]! >= 0;
  }

  get kind(): ColumnKind {
    return this.#plan.kinds[this.cell] ?? 'text';
  }

  /** The cell is a string of these bytes. */
  setBytes(bytes: Buffer, start: number, end: number): void {
    this.set(textOfBytes(bytes, start, end, this.kind, this.#plan.context));
  }

  set(value: string | null | ValueFault): void {
    if (typeof value === 'object' && value !== null) {
      this.#fault ??= { code: value.code, reason: `"${this.#plan.names[this.cell]}" ${value.reason}` };
    } else this.#values[this.#plan.targets[this.cell]!] = value;
  }

  end(line: number): DatabaseRow {
    const { names } = this.#plan;
    const fault = this.cell + 1 === names.length ? this.#fault : countFault(this.cell + 1, names.length);
    return fault ? { values: this.#nothing, line, fault } : { values: this.#values, line };
  }
}

const countFault = (found: number, wanted: number) => ({
  code: 'dump-columns',
  reason: `expected ${wanted} values, one for each column, found ${found}`,
});
