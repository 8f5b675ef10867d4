import { faultLine } from '../fault-line.ts';
import { columnName, sheetRows, type SheetRow } from './sheet-rows.ts';
import type { Sheet, Workbook } from './workbook.ts';
import { WorkbookFault } from './xml-reader.ts';

/** Characters of the names of all columns: if there are more, most cells are empty as a rule, and each line would have all the names. */
const namesMax = 2048;
/** Characters of a name. */
const nameMax = 256;
/** Characters of lines that are handed out at once. */
const lengthMax = 2 ** 18;

/**
 * The rows of a sheet as JSON Lines: the number of the line is that of the row. The first row that is not empty names the fields. Lines of it and
 * of empty rows are empty. An empty cell is null; of a sheet with many columns, only in the first row that has values. A row that cannot be read is a line that says so (`fault-line.ts`).
 *
 * @throws WorkbookFault, or a SourceError of the archive, after the last row that can be read.
 */
export async function* sheetLines(book: Workbook, sheet: Sheet): AsyncGenerator<Buffer> {
  let fields: Fields | undefined;
  let text = '';
  let line = 1;
  for await (const rows of sheetRows(book, sheet)) {
    for (const row of rows) {
      text += '\n'.repeat(row.number - line);
      line = row.number + 1;
      if (fields === undefined) {
        fields = new Fields(row);
        text += '\n';
      } else text += `${fields.formatLine(row)}\n`;
      if (text.length < lengthMax) continue;
      yield Buffer.from(text);
      text = '';
    }
    // What a damaged part begins with is handed out before its fault.
    if (text !== '') yield Buffer.from(text);
    text = '';
  }
}

/** Each row has the name again: of a sheet without names, it may be a message of any length. */
const nameIn = (value: string | boolean): string => String(value).trim().slice(0, nameMax).toWellFormed();

export class Fields {
  readonly #names = new Map<number, string>();
  /** The last number that columns of a name have. */
  readonly #numbers = new Map<string, number>();
  /** Of every row, or of the first: it shows which fields there are. */
  #empty: readonly (readonly [string, null])[];

  readonly #isWide: boolean;

  /** @param header The first row. @throws WorkbookFault if it cannot be read. */
  constructor({ number, cells, fault }: SheetRow) {
    if (fault !== undefined) throw new WorkbookFault(`the row ${number}, with the names of the columns: ${fault}`);
    for (const [column, { value }] of [...cells].sort(([a], [b]) => a - b)) this.#add(column, nameIn(value));
    const names = [...this.#names.values()];
    this.#empty = names.map((name) => [name, null]);
    this.#isWide = names.reduce((sum, name) => sum + name.length, 0) > namesMax;
  }

  /** A column without a name has its letters. */
  ensureName(column: number): string {
    return this.#names.get(column) ?? this.#add(column, columnName(column));
  }

  formatLine({ number, cells, fault }: SheetRow): string {
    if (fault !== undefined) return faultLine(`the row ${number} of the sheet cannot be read: ${fault}`);
    const values = [...cells].map(([column, { value }]) => [this.ensureName(column), value] as const);
    const line = JSON.stringify(Object.fromEntries([...this.#empty, ...values]));
    if (this.#isWide) this.#empty = [];
    return line;
  }

  #add(column: number, wanted: string): string {
    let number = this.#numbers.get(wanted) ?? 1;
    let name = wanted;
    while (this.#numbers.has(name)) {
      number += 1;
      name = `${wanted}#${number}`;
    }
    this.#numbers.set(wanted, number);
    if (name !== wanted) this.#numbers.set(name, 1);
    this.#names.set(column, name);
    return name;
  }
}
