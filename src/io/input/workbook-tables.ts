import { SourceError } from '../../lib/errors.ts';
import { firstBytes } from '../bytes.ts';
import { sheetLines } from '../xlsx/sheet-lines.ts';
import { SheetSurvey } from '../xlsx/sheet-survey.ts';
import { openWorkbook, type Workbook } from '../xlsx/workbook.ts';
import { WorkbookFault } from '../xlsx/xml-reader.ts';
import { openZip } from '../zip/zip-input.ts';
import type { Caps } from './caps.ts';
import { type ExportInput, type InputProblem, ProblemList } from './export-input.ts';
import { type InnerTable, inPath } from './inner-table.ts';

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
