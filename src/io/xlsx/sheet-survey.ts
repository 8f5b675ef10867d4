import { formatCount } from '../../lib/text/count.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { Fields } from './sheet-lines.ts';
import { HiddenColumns, sheetRows, type SheetRow } from './sheet-rows.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Something about a sheet that a person should know. */
export interface SheetProblem {
  readonly code: 'hidden-cells' | 'rounded-numbers';
  readonly reason: string;
}

/** Columns that are named. */
const namedMax = 20;

/** Reads a sheet once for what its rows do not say. What comes before a fault counts; the code that reads the rows meets it again. */
export class SheetSurvey {
  /** Whether there are rows behind the names of the columns. */
  hasRows = false;
  #fields: Fields | undefined;
  readonly #hidden = new HiddenColumns();
  readonly #hiddenColumns = new Set<number>();
  readonly #rounded = new Map<number, { count: number; readonly row: number }>();
  #hiddenRowCount = 0;
  #firstHidden = 0;

  async read(book: Workbook, sheet: Sheet): Promise<void> {
    for await (const rows of sheetRows(book, sheet, this.#hidden)) for (const row of rows) this.#add(row);
  }

  problems({ name, isHidden }: Sheet): readonly SheetProblem[] {
    const problems: SheetProblem[] = [];
    const hidden = (what: string) =>
      problems.push({ code: 'hidden-cells', reason: `${what}, and read: this may have been done on purpose` });
    const sheet = `the sheet ${quoted(name)}`;
    if (isHidden) hidden(`${capital(sheet)} is hidden`);
    if (this.#hiddenRowCount > 0)
      hidden(`${formatCount(this.#hiddenRowCount)} rows of ${sheet} are hidden, the first is row ${this.#firstHidden}`);
    if (this.#hiddenColumns.size > 0) hidden(`Columns of ${sheet} are hidden (${this.#namesOf(this.#hiddenColumns)})`);
    for (const [column, { count, row }] of [...this.#rounded].slice(0, namedMax)) {
      const where = `in the column ${quoted(this.#fields!.ensureName(column))} of ${sheet}, the first in row ${row}`;
      const reason = `${formatCount(count)} numbers of 16 or more digits end in zeros ${where}: Excel keeps 15 digits, and may have rounded them`;
      problems.push({ code: 'rounded-numbers', reason });
    }
    return problems;
  }

  #namesOf(columns: ReadonlySet<number>): string {
    const names = [...columns].slice(0, namedMax).map((column) => quoted(this.#fields!.ensureName(column)));
    return `${names.join(', ')}${columns.size > namedMax ? ', …' : ''}`;
  }

  #add(row: SheetRow): void {
    if (row.isHidden) {
      this.#hiddenRowCount += 1;
      this.#firstHidden ||= row.number;
    }
    for (const column of row.cells.keys()) if (this.#hidden.has(column)) this.#hiddenColumns.add(column);
    if (this.#fields === undefined) {
      this.#fields = new Fields(row);
      return;
    }
    this.hasRows = true;
    for (const [column, { isRounded }] of row.cells) if (isRounded) this.#addRounded(column, row.number);
  }

  #addRounded(column: number, row: number): void {
    const found = this.#rounded.get(column);
    if (found === undefined) this.#rounded.set(column, { count: 1, row });
    else found.count += 1;
  }
}

const quoted = (name: string): string => JSON.stringify(truncate(oneLine(name), 60));

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
