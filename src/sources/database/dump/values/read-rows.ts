import { SourceError } from '../../../../lib/errors.ts';
import { formatCount } from '../../../../lib/text/count.ts';
import type { CellText, DatabaseRow } from '../../database.ts';
import { RowList } from '../../row-lists.ts';
import { chooseDecoding } from '../charset.ts';
import type { Dialect } from '../dialect.ts';
import type { DataForm, DataSection, ScannedTable } from '../scan/catalogue.ts';
import { passComment, StatementLexer } from '../scan/lexer.ts';
import { FileWindow, type WindowOptions } from '../window.ts';
import { CopyLine } from './copy-rows.ts';
import { InsertRow } from './insert-rows.ts';
import { planRow } from './row-plan.ts';

export interface RowsOptions extends WindowOptions {
  readonly dialect: Dialect;
  /** Bytes of one row. */
  readonly rowBytesMax: number;
  /** Only rows whose cells in some columns pass a test: of the others no other cell is read. Lists have at most `max` rows. */
  readonly only?: {
    readonly columns: readonly string[];
    /** Those of which only matters whether there is a value. */
    readonly emptyAlone: readonly string[];
    readonly test: (cells: readonly CellText[]) => boolean;
    readonly max: number;
  };
}

/**
 * Yields the rows of a table, section by section in the order of the file.
 *
 * @throws SourceError after the last whole row if the file ends in the data of the table.
 */
export async function* readRows(
  table: ScannedTable,
  wanted: readonly string[],
  options: RowsOptions,
): AsyncGenerator<readonly DatabaseRow[]> {
  const { path, only } = options;
  const window = new FileWindow(options);
  const parsers = new Map<DataForm, RowParser>();
  const list = new RowList(only?.max);
  for (const { table: owner, section } of table.allSections()) {
    const parser = parsers.get(section.form) ?? new RowParser(owner, section.form, wanted, options);
    parsers.set(section.form, parser);
    if (section.row) {
      parser.read(section.row, 0, section.row.length, section.line, list);
      if (list.isFull) yield list.take();
      continue;
    }
    window.seek(section.start);
    const reader = new SectionReader(window, section, parser, options);
    for (let isMore = true; isMore; ) {
      isMore = await reader.read(list);
      if (list.isFull) yield list.take();
    }
    if (section.isCut) {
      yield list.take();
      throw cutOff(owner, reader.line, path);
    }
  }
  yield only === undefined ? [...list.take(), ...unreadStatements(table, wanted.length)] : list.take();
}

/** Reads rows that are written in one form. */
class RowParser {
  readonly wantedCount: number;
  readonly #whole: CopyLine | InsertRow;
  /** Reads the cells by which rows are chosen. */
  readonly #chosenBy: CopyLine | InsertRow | undefined;
  readonly #test: NonNullable<RowsOptions['only']>['test'] | undefined;

  constructor(table: ScannedTable, form: DataForm, wanted: readonly string[], { dialect, path, only }: RowsOptions) {
    const decoding = chooseDecoding(form.settings.charset, dialect === 'mysql', path);
    const context = { dialect, settings: form.settings, decoding };
    const reader = (columns: readonly string[], emptyAlone: readonly string[] = []) => {
      const plan = planRow({ table, form, wanted: columns, emptyAlone, context });
      return form.kind === 'copy' ? new CopyLine(plan) : new InsertRow(plan);
    };
    this.wantedCount = wanted.length;
    this.#whole = reader(wanted);
    this.#chosenBy = only && reader(only.columns, only.emptyAlone);
    this.#test = only?.test;
  }

  /** Adds the row that begins at `start`, unless it is none of those that are wanted. @returns the index behind it; undefined if it does not end before `limit`. */
  read(bytes: Buffer, start: number, limit: number, line: number, into: RowList): number | undefined {
    if (this.#chosenBy) {
      const row = this.#chosenBy.read(bytes, start, limit, line);
      if (row === undefined) return undefined;
      if (row.fault !== undefined || !this.#test!(row.values)) return this.#chosenBy.end;
    }
    const row = this.#whole.read(bytes, start, limit, line);
    if (row === undefined) return undefined;
    into.add(row);
    return this.#whole.end;
  }
}

/** A statement that would change the rows stands for those that it would make, change or take away. */
function* unreadStatements(table: ScannedTable, wantedCount: number): Generator<DatabaseRow> {
  const values = new Array<null>(wantedCount).fill(null);
  for (const { name, unread, unreadCount } of table.family()) {
    for (const [index, { word, line }] of unread.entries()) {
      const more = index === unread.length - 1 ? unreadCount - unread.length : 0;
      const reason = `${word} is not read, and would change ${JSON.stringify(name.table)}${more > 0 ? `; so do ${formatCount(more)} statements behind it` : ''}`;
      yield { values, line, fault: { code: 'dump-statement', reason } };
    }
  }
}

const cutOff = ({ name }: ScannedTable, line: number, path: string): SourceError =>
  new SourceError(`Cannot read "${name.table}" to its end: the dump ends in the middle of its rows`, {
    location: { path, line },
    hint: 'Make or copy the dump again; the rows before this were read',
  });

/** Rows of one section. */
class SectionReader {
  line: number;
  /** Place in the file of the next line end, or of what may be one: the end of what was there. */
  #lineEnd = -1;
  readonly #window: FileWindow;
  readonly #section: DataSection;
  readonly #parser: RowParser;
  readonly #options: RowsOptions;

  constructor(window: FileWindow, section: DataSection, parser: RowParser, options: RowsOptions) {
    this.line = section.line;
    this.#window = window;
    this.#section = section;
    this.#parser = parser;
    this.#options = options;
  }

  /** Adds rows until the list is long, or more has to be read. @returns whether the section goes on. */
  async read(list: RowList): Promise<boolean> {
    const isStuck = this.#section.form.kind === 'copy' ? this.#copyRows(list) : this.#insertRows(list);
    if (!isStuck) return true;
    const window = this.#window;
    if (window.end - window.at > this.#options.rowBytesMax) {
      await this.#passRow(list);
      return true;
    }
    return window.place < this.#section.end && window.indexOf(this.#section.end) > window.end && (await window.more());
  }

  /** Index after the bytes that are there and belong to the section. */
  get #limit(): number {
    return Math.min(this.#window.end, this.#window.indexOf(this.#section.end));
  }

  /** @returns whether more bytes are needed. */
  #copyRows(list: RowList): boolean {
    const window = this.#window;
    const view = window.bytes.subarray(0, this.#limit);
    while (!list.isFull) {
      const end = view.indexOf(10, window.at);
      if (end < 0) return true;
      const isTooLarge = end - window.at > this.#options.rowBytesMax;
      if (isTooLarge) list.add(this.#tooLarge());
      else this.#parser.read(view, window.at, end, this.line, list);
      window.at = end + 1;
      this.line += 1;
    }
    return false;
  }

  #insertRows(list: RowList): boolean {
    const window = this.#window;
    const limit = this.#limit;
    while (!list.isFull) {
      if (!this.#toRow(limit)) return true;
      const end = this.#parser.read(window.bytes, window.at, limit, this.line, list);
      if (end === undefined) return true;
      this.#passTo(end);
    }
    return false;
  }

  /** Moves on and counts the lines. A row seldom has a line end in it, so the position of the next one is remembered. */
  #passTo(end: number): void {
    const window = this.#window;
    const { bytes } = window;
    const offset = window.place - window.at;
    for (let from = window.at; from < end; ) {
      if (this.#lineEnd < offset + from) {
        const found = bytes.indexOf(10, from);
        this.#lineEnd = offset + (found < 0 ? window.end : Math.min(found, window.end));
      }
      from = this.#lineEnd - offset + 1;
      if (from <= end && bytes[from - 1] === 10) this.line += 1;
    }
    window.at = end;
  }

  /**
   * Goes to the bracket of the next row, over commas, comments and text around statements.
   *
   * @returns false if it is not there yet.
   */
  #toRow(limit: number): boolean {
    const window = this.#window;
    while (window.at < limit) {
      const byte = window.bytes[window.at]!;
      if (byte === 40) return true;
      if (byte === 10) this.line += 1;
      if (byte <= 32 || byte === 44 || byte === 59) window.at += 1;
      else {
        const end = this.#elseEnd(byte, limit);
        if (end < 0) return false;
        this.#passTo(end);
      }
    }
    return false;
  }

  /** Returns the end of a comment, of the beginning of the next statement, or of the text after the values: `ON CONFLICT DO NOTHING;`. */
  #elseEnd(byte: number, limit: number): number {
    const { bytes, at } = this.#window;
    const view = bytes.subarray(0, limit);
    const { head } = this.#section.form;
    // `/*!50000 INSERT … VALUES` begins as a comment does.
    if (limit - at >= head.length && view.compare(head, 0, head.length, at, at + head.length) === 0)
      return at + head.length;
    const isComment = byte === 45 || byte === 35 || byte === 47;
    if (isComment && byte !== 47) return view.indexOf('\n', at) + 1 || -1;
    if (isComment) return passComment(view, at + 2, 1, this.#options.dialect)[0];
    if (limit - at < head.length) return -1;
    return this.#lexer(false).push(bytes, at, limit);
  }

  #lexer(stopsAtRow: boolean): StatementLexer {
    const { dialect } = this.#options;
    const { isEscaping } = this.#section.form.settings;
    return new StatementLexer({ dialect, isEscaping, isInsert: true, stopsAtRow });
  }

  #tooLarge(): DatabaseRow {
    const values = new Array<null>(this.#parser.wantedCount).fill(null);
    const reason = `it has more than ${formatCount(this.#options.rowBytesMax)} bytes`;
    return { values, line: this.line, fault: { code: 'dump-too-large', reason } };
  }

  /** A row that is larger than may be held is passed over, and named. */
  async #passRow(list: RowList): Promise<void> {
    list.add(this.#tooLarge());
    const isCopy = this.#section.form.kind === 'copy';
    const lexer = this.#lexer(true);
    const window = this.#window;
    for (;;) {
      const limit = this.#limit;
      const end = isCopy
        ? window.bytes.subarray(0, limit).indexOf(10, window.at) + 1 || -1
        : lexer.push(window.bytes, window.at, limit);
      window.at = end < 0 ? limit : end;
      if (end >= 0 || window.place >= this.#section.end || !(await window.more())) break;
    }
    this.line += isCopy ? 1 : lexer.lines;
  }
}
