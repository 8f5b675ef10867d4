import { SourceError } from '../../lib/errors.ts';
import { firstBytes } from '../bytes.ts';
import { sheetLines, Fields } from '../xlsx/sheet-lines.ts';
import { openWorkbook, type Workbook, type Sheet } from '../xlsx/workbook.ts';
import { WorkbookFault } from '../xlsx/xml-reader.ts';
import { openZip } from '../zip/zip-input.ts';
import type { Caps } from './caps.ts';
import { type ExportInput, type InputProblem, ProblemList } from './export-input.ts';
import { type InnerTable, inPath } from './inner-table.ts';
import { formatCount } from '../../lib/text/count.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { HiddenColumns, sheetRows, type SheetRow } from '../xlsx/sheet-rows.ts';

/** Bytes of each sheet that are kept for recognising it: opening a workbook again takes all its texts. */
const headBytes = 16 * 1024;

/** The sheets of workbooks, and what their rows do not say. */
interface WorkbookTables {
  readonly tables: readonly InnerTable[];
  readonly problems: readonly InputProblem[];
}

/**
 * Opens an export of nothing but workbooks: each sheet that has rows behind the names of its columns is a table, `book.xlsx/Sheet1`, also if it is
 * hidden. Every sheet is read once, for problems that only the whole sheet shows.
 *
 * Memory: 16 KiB for each sheet, and the texts of one workbook at a time, at most 64 MiB.
 *
 * @throws SourceError if none of the workbooks has a table: the fault of the first that has one.
 */
export async function workbookTables(input: ExportInput, caps: Caps): Promise<WorkbookTables> {
  const tables: InnerTable[] = [];
  const problems = new ProblemList();
  let first: SourceError | undefined;
  for (const path of await input.paths()) {
    const file = new BookFile(input, path, caps);
    try {
      for await (const table of file.read((book) => listTables(file, book, problems))) tables.push(table);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      first ??= error;
      const reason = error.message.replace(` (${path})`, '');
      problems.add('unreadable-file', error.hint === undefined ? reason : `${reason}. ${error.hint}`, path);
    }
  }
  if (tables.length === 0) throw first ?? noTables(input.label);
  return { tables, problems: problems.all(input.label) };
}

const noTables = (label: string): SourceError =>
  new SourceError(`Cannot read "${label}": no sheet has rows behind the names of its columns`, {
    hint: 'Put the names of the columns into the first row, and save the workbook',
  });

async function* listTables(file: BookFile, book: Workbook, problems: ProblemList): AsyncGenerator<InnerTable> {
  const paths = new Set<string>();
  for (const sheet of book.sheets) {
    const path = `${file.path}/${inPath(sheet.name)}`;
    if (paths.has(path)) throw new WorkbookFault(`it has two sheets with the name ${JSON.stringify(sheet.name)}`);
    paths.add(path);
    const survey = new SheetSurvey();
    const fault = await faultIn(survey.read(book, sheet));
    if (!survey.hasRows && fault !== undefined) throw fault;
    if (!survey.hasRows) continue;
    for (const { code, reason } of survey.problems(sheet)) problems.add(code, reason, path);
    const head = await firstBytes(sheetLines(book, sheet), headBytes);
    const lines = () => file.read((reopened) => sheetLines(reopened, sheet));
    yield { path, file: file.path, head, lines };
  }
}

/** Returns a fault that reading the rows will meet again. */
async function faultIn(read: Promise<void>): Promise<unknown> {
  try {
    await read;
    return undefined;
  } catch (error) {
    if (error instanceof WorkbookFault || error instanceof SourceError) return error;
    throw error;
  }
}

/** A workbook in an export. It is open only while it is read. */
class BookFile {
  readonly path: string;
  readonly #input: ExportInput;
  readonly #caps: Caps;

  constructor(input: ExportInput, path: string, caps: Caps) {
    this.path = path;
    this.#input = input;
    this.#caps = caps;
  }

  /** Opens the workbook, and yields what is read from it. @throws SourceError, also for a WorkbookFault. */
  async *read<T>(read: (book: Workbook) => AsyncIterable<T>): AsyncGenerator<T> {
    let archive: ExportInput | undefined;
    let book: Workbook | undefined;
    try {
      archive = await this.#openArchive();
      book = await openWorkbook(archive);
      yield* read(book);
    } catch (error) {
      throw this.#located(error);
    } finally {
      book?.strings.release();
      await archive?.close();
    }
  }

  /** An encrypted workbook is no archive, but a compound file of the old kind. */
  async #openArchive(): Promise<ExportInput> {
    const head = Buffer.from(await this.#input.head(this.path, 4)).toString('hex');
    if (head !== 'd0cf11e0') return openZip(await this.#input.materialise(this.path), this.#caps, this.path);
    throw new PasswordError('Cannot read the workbook: it has a password, or is one of Excel 97 to 2003', {
      hint: 'Open it in Excel or LibreOffice, and save it without a password as "Excel Workbook (.xlsx)"',
      location: { path: this.path },
    });
  }

  #located(error: unknown): unknown {
    const isFault = error instanceof WorkbookFault || error instanceof SourceError;
    if (!isFault || error instanceof PasswordError) return error;
    return new SourceError(`Cannot read the workbook: ${withoutAction(error.message)}`, {
      hint: 'Copy or download it again, or open it in Excel or LibreOffice and save it as "Excel Workbook (.xlsx)"',
      location: { path: this.path },
      cause: error,
    });
  }
}

/** Has a hint of its own. */
class PasswordError extends SourceError {}

const withoutAction = (message: string): string => message.replace(/^Cannot read (?:from )?"[^"]*": /, '');

export interface SheetProblem {
  readonly code: 'hidden-cells' | 'rounded-numbers';
  readonly reason: string;
}

const namedMax = 20;

/** Reads a sheet once for what its rows do not say. What comes before a fault counts; the code that reads the rows meets it again. */
class SheetSurvey {
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
