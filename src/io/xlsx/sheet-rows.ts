import { isNumber, mayBeRounded, numberText, unescaped } from './cell-values.ts';
import { isTrue, type Sheet, type Workbook } from './workbook.ts';
import { readXml, WorkbookFault, type PartHandler } from './xml-reader.ts';

/** A row with at least one cell that is not empty, or one that cannot be read. */
export interface SheetRow {
  /** 1-based, as people see it. */
  readonly number: number;
  readonly isHidden: boolean;
  /** By column, 0-based. */
  readonly cells: ReadonlyMap<number, CellValue>;
  /** Why the row cannot be read. */
  readonly fault?: string;
}

export interface CellValue {
  readonly value: string | boolean;
  readonly isRounded: boolean;
}

const rowsMax = 1_048_576;
const columnsMax = 16_384;
const rowLengthMax = 8 * 2 ** 20;

/**
 * The rows of a sheet, in its order, without empty ones. The columns that are hidden are known before the first row.
 *
 * Memory: the rows of a chunk, whose texts are those of the workbook.
 *
 * @throws WorkbookFault if the XML is damaged, or a SourceError of the archive.
 */
export async function* sheetRows(
  book: Workbook,
  { part }: Sheet,
  isHiddenColumn: HiddenColumns = new HiddenColumns(),
): AsyncGenerator<readonly SheetRow[]> {
  const handler = new RowHandler(book, isHiddenColumn);
  for await (const _ of readXml(book.archive.open(part), handler)) {
    const rows = handler.take();
    if (rows.length > 0) yield rows;
  }
}

export class HiddenColumns {
  readonly #marks = new Uint8Array(columnsMax);

  add(attributes: ReadonlyMap<string, string>): void {
    const isHidden = isTrue(attributes.get('hidden')) || Number(attributes.get('width') ?? 1) === 0;
    if (isHidden) this.#marks.fill(1, Math.max(0, Number(attributes.get('min')) - 1), Number(attributes.get('max')));
  }

  has(column: number): boolean {
    return this.#marks[column] === 1;
  }
}

class RowHandler implements PartHandler {
  readonly #book: Workbook;
  readonly #hidden: HiddenColumns;
  #rows: SheetRow[] = [];
  #number = 0;
  #isInRow = false;
  #isInCell = false;
  #isHidden = false;
  #cells = new Map<number, CellValue>();
  #length = 0;
  #fault: string | undefined;
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  constructor(book: Workbook, hidden: HiddenColumns) {
    this.#book = book;
    this.#hidden = hidden;
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'c') this.#beginCell(attributes);
    else if (name === 'v' || name === 't') this.#isText = !this.#isPhonetic;
    else if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 'row') this.#beginRow(attributes);
    else if (name === 'col') this.#hidden.add(attributes);
  }

  text(text: string): void {
    if (!this.#isText) return;
    this.#length += text.length;
    if (this.#length <= rowLengthMax) this.#text += text;
    else this.#fault ??= 'it has too many characters';
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#endRow();
  }

  #beginRow(attributes: ReadonlyMap<string, string>): void {
    const number = Number(attributes.get('r') ?? this.#number + 1);
    if (!Number.isInteger(number) || number <= this.#number || number > rowsMax)
      throw new WorkbookFault(`the row behind row ${this.#number} has no number that can follow`);
    if (this.#isInRow) throw new WorkbookFault(`the row ${this.#number} has another row inside`);
    this.#isInRow = true;
    this.#number = number;
    this.#isHidden = isTrue(attributes.get('hidden')) || Number(attributes.get('ht') ?? 1) === 0;
    this.#cells = new Map();
    this.#length = 0;
    this.#fault = undefined;
    this.#column = -1;
  }

  #endRow(): void {
    this.#isInRow = false;
    const fault = this.#fault;
    if (this.#cells.size === 0 && fault === undefined) return;
    const cells = fault === undefined ? this.#cells : new Map<number, CellValue>();
    this.#rows.push({ number: this.#number, isHidden: this.#isHidden, cells, ...(fault !== undefined && { fault }) });
  }

  #beginCell(attributes: ReadonlyMap<string, string>): void {
    if (!this.#isInRow || this.#isInCell) throw new WorkbookFault(`a cell behind row ${this.#number} is in no row`);
    this.#isInCell = true;
    const reference = attributes.get('r');
    const column = reference === undefined ? this.#column + 1 : parseColumn(reference);
    if (column === undefined || column >= columnsMax) this.#fault ??= 'a cell is in no column';
    else if (this.#cells.has(column)) this.#fault ??= `it has two cells in the column ${columnName(column)}`;
    this.#column = column ?? this.#column + 1;
    this.#type = attributes.get('t') ?? 'n';
    this.#style = Number(attributes.get('s') ?? 0);
    this.#text = '';
  }

  #endCell(): void {
    this.#isInCell = false;
    if (this.#text === '' || this.#fault !== undefined) return;
    const cell = this.#cellValue();
    if (cell === undefined) this.#fault = `the cell in the column ${columnName(this.#column)} cannot be read`;
    else if (cell.value !== '') this.#cells.set(this.#column, cell);
  }

  #cellValue(): CellValue | undefined {
    const text = this.#text;
    const plain = (value: string | boolean) => ({ value, isRounded: false });
    if (this.#type === 's') {
      const shared = /^\d+$/.test(text) ? this.#book.strings.get(Number(text)) : undefined;
      this.#length += shared?.length ?? 0;
      return shared === undefined || this.#length > rowLengthMax ? undefined : plain(shared);
    }
    if (this.#type === 'n') {
      if (!isNumber(text)) return undefined;
      const kind = this.#book.formats.kindOf(this.#style);
      const value = numberText(text, kind, this.#book.is1904);
      return { value, isRounded: kind === 'number' && mayBeRounded(text) };
    }
    if (this.#type === 'b') return /^(?:[01]|true|false)$/.test(text) ? plain(isTrue(text)) : undefined;
    return ['str', 'inlineStr', 'e', 'd'].includes(this.#type) ? plain(unescaped(text)) : undefined;
  }
}

/** 0 for `A`. @param reference `AB12`. */
function parseColumn(reference: string): number | undefined {
  const [, letters] = /^\$?([A-Za-z]{1,3})\$?\d*$/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** `A` for 0. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return `${rest >= 0 ? columnName(rest) : ''}${String.fromCharCode(65 + (column % 26))}`;
}
