import { SourceError } from '../../../../lib/errors.ts';
import { chooseDecoding, type TextDecoding } from '../charset.ts';
import { type Dialect, defaultSettings } from '../dialect.ts';
import { FileWindow, startsWith, type WindowOptions } from '../window.ts';
import { Catalogue, type DataForm, type DataSection, type ScannedTable, type TableName } from './catalogue.ts';
import { passComment, StatementLexer } from './lexer.ts';
import { noteUnread } from './changes.ts';
import { takeColumns, takeName } from './names.ts';
import { type DumpState, readStatement, useDatabase } from './statements.ts';
import { type TokenCursor, readTokens } from './tokens.ts';

/** A dump after one pass: what it holds and where. */
export interface ScannedDump {
  readonly catalogue: Catalogue;
  /** Present if the file ends before the dump does: line, and the table whose data was last. */
  readonly cutOff: { readonly line: number; readonly table: ScannedTable | undefined } | undefined;
  readonly isDamaged: boolean;
}

/** Bytes of a statement that are looked at to know what it is: names of some hundred columns. */
const headBytesMax = 64 * 1024;
/** Bytes of a statement that describes something: a table of a thousand columns has some 100 KB. Longer statements are passed over. */
const statementBytesMax = 4 * 2 ** 20;

/** Bytes of a statement that is too long to be read, to know which table it would change. */
const beginningBytes = 1024;
/** Bytes of all rows of `INSERT … SET`, which no dump program writes; those behind them are not read, and named. */
const heldBytesMax = 8 * 2 ** 20;

interface ScanOptions extends WindowOptions {
  readonly dialect: Dialect;
}

/** Reads a dump once, from its beginning to its end. Holds its catalogue, and four numbers for each run of rows. */
export const scanDump = (options: ScanOptions): Promise<ScannedDump> => new DumpScan(options).run();

/** Data of one table, as long as the same statement is repeated. */
interface Run {
  readonly table: ScannedTable;
  readonly section: DataSection;
}

class DumpScan {
  readonly #window: FileWindow;
  readonly #path: string;
  readonly #state: DumpState;
  #line = 1;
  #delimiter = ';';
  #run: Run | undefined;
  #lastTable: ScannedTable | undefined;
  /** Whether the dump says at its end that it is whole. */
  #saysEnd = false;
  #isCut = false;
  #heldBytes = 0;

  constructor(options: ScanOptions) {
    const { path, dialect } = options;
    this.#window = new FileWindow(options);
    this.#path = path;
    const schema = dialect === 'postgres' ? 'public' : '';
    const catalogue = new Catalogue(dialect !== 'postgres');
    const settings = defaultSettings(dialect);
    this.#state = {
      catalogue,
      dialect,
      place: { database: '', schema },
      settings,
      isComplete: false,
      isDamaged: false,
    };
  }

  async run(): Promise<ScannedDump> {
    const window = this.#window;
    await window.ensure(3);
    if (window.bytes.subarray(0, Math.min(3, window.end)).equals(byteOrderMark)) window.at = 3;
    while (await this.#skipBlank()) await this.#statement();
    const { catalogue, isComplete, isDamaged } = this.#state;
    const isCut = this.#isCut || (this.#saysEnd && !isComplete);
    const cutOff = isCut ? { line: this.#line, table: this.#lastTable } : undefined;
    return { catalogue, cutOff, isDamaged };
  }

  /** @returns whether anything is left. */
  async #skipBlank(): Promise<boolean> {
    const window = this.#window;
    for (;;) {
      this.#skipSpace();
      await window.ensure(headBytesMax);
      if (window.at >= window.end) return false;
      const byte = window.bytes[window.at]!;
      const next = window.bytes[window.at + 1];
      if ((byte === 45 && next === 45) || (byte === 35 && this.#state.dialect === 'mysql')) await this.#lineComment();
      else if (byte === 47 && next === 42 && !this.#isConditional()) await this.#blockComment();
      else if (!this.#isSpace(byte)) return true;
    }
  }

  #skipSpace(): void {
    const window = this.#window;
    for (; window.at < window.end; window.at += 1) {
      const byte = window.bytes[window.at]!;
      if (!this.#isSpace(byte)) return;
      if (byte === 10) this.#line += 1;
    }
  }

  /** A semicolon ends a statement in which nothing is. */
  #isSpace(byte: number): boolean {
    return byte <= 32 || (byte === 59 && this.#delimiter === ';');
  }

  #isConditional(): boolean {
    return this.#state.dialect === 'mysql' && this.#window.bytes[this.#window.at + 2] === 33;
  }

  async #lineComment(): Promise<void> {
    const line = await this.#takeLine();
    if (/^-- (?:PostgreSQL database (?:cluster )?dump|MySQL dump|MariaDB dump)\b/.test(line)) this.#saysEnd = true;
    if (/^-- (?:PostgreSQL database (?:cluster )?dump complete|Dump completed)/.test(line))
      this.#state.isComplete = true;
  }

  /** Its first 4 KB; all of it is passed over. */
  async #takeLine(): Promise<string> {
    const window = this.#window;
    const text = window.bytes.toString('latin1', window.at, Math.min(window.end, window.at + 4096)).split('\n', 1)[0]!;
    for (;;) {
      const found = window.bytes.subarray(window.at, window.end).indexOf(10);
      window.at = found < 0 ? window.end : window.at + found;
      if (found >= 0 || !(await window.more())) return text;
    }
  }

  async #blockComment(): Promise<void> {
    const window = this.#window;
    window.at += 2;
    for (let depth = 1; ; ) {
      const [found, open] = passComment(window.bytes.subarray(0, window.end), window.at, depth, this.#state.dialect);
      depth = open;
      const end = found < 0 ? Math.max(window.at, window.end - 1) : found;
      this.#line += linesIn(window.bytes, window.at, end);
      window.at = end;
      if (found >= 0) return;
      if (await window.more()) continue;
      window.at = window.end;
      return;
    }
  }

  async #statement(): Promise<void> {
    const run = this.#run;
    if (run && startsWith(this.#window, run.section.form.head)) return this.#insertRows(run);
    const { bytes, at } = this.#window;
    const [, first] = /^(?:\/\*!\d*\s*)?([a-z\\]+)/i.exec(bytes.toString('latin1', at, at + 40)) ?? [];
    const word = first?.toUpperCase() ?? '';
    if (word.startsWith('\\')) return this.#metaCommand();
    if (word === 'DELIMITER' && this.#state.dialect === 'mysql') return this.#setDelimiter();
    if (word === 'INSERT' || word === 'REPLACE') {
      const insert = this.#insertHead();
      if (insert) return this.#insertRows(insert);
    }
    this.#run = undefined;
    const line = this.#line;
    const beginning = bytes.toString('latin1', at, Math.min(this.#window.end, at + beginningBytes));
    const text = await this.#takeStatement();
    if (word === 'INSERT' && !this.#isCut && this.#insertSet(text, line)) return;
    if (word === 'COPY' && fromStandardInput.test(text)) return this.#copyRows(text);
    if (this.#saysEndOfSqlite(text)) this.#saysEnd = true;
    if (!this.#isCut) noteUnread(this.#tokens(text || beginning), line, this.#state);
    readStatement(this.#tokens(text), this.#state, () => decodeLatin1(text, this.#decoding()));
  }

  #saysEndOfSqlite(text: string): boolean {
    return this.#state.dialect === 'sqlite' && /^BEGIN TRANSACTION;/i.test(text);
  }

  #tokens(text: string): TokenCursor {
    const { dialect, settings } = this.#state;
    const decoding = this.#decoding();
    const decode = (latin1: string) => decodeLatin1(latin1, decoding);
    return readTokens(text, { dialect, isEscaping: settings.isEscaping, decode });
  }

  #decoding(): TextDecoding {
    return chooseDecoding(this.#state.settings.charset, this.#state.dialect === 'mysql', this.#path);
  }

  /** Reads a command of psql: `\connect app` goes to another database; others change nothing. */
  async #metaCommand(): Promise<void> {
    const line = await this.#takeLine();
    const [, name] = /^\\c(?:onnect)?\s+(?:-\S+\s+)*("(?:[^"]|"")*"|\S+)/.exec(line) ?? [];
    if (name === undefined || this.#state.dialect !== 'postgres') return;
    useDatabase(decodeLatin1(name.replaceAll('"', ''), this.#decoding()), this.#state);
    this.#run = undefined;
  }

  async #setDelimiter(): Promise<void> {
    const line = await this.#takeLine();
    this.#delimiter = /^\S+[ \t]+(\S+)/.exec(line)?.[1] ?? ';';
  }

  /** Returns a statement with its delimiter, a character for each byte; empty if it is too long to describe anything. */
  async #takeStatement(): Promise<string> {
    const text = await this.#takeToDelimiter();
    if (!holdsStatements(text, this.#state.dialect)) return text;
    for (let last = text; !/^\s*END\s*;$/i.test(last) && !/\bATOMIC\s+END\s*;$/i.test(last.slice(-40)); ) {
      if (!(await this.#window.ensure(1))) {
        this.#isCut = true;
        return '';
      }
      last = await this.#takeToDelimiter();
    }
    return '';
  }

  async #takeToDelimiter(): Promise<string> {
    const window = this.#window;
    const { dialect, settings } = this.#state;
    const lexer = new StatementLexer({ dialect, isEscaping: settings.isEscaping, delimiter: this.#delimiter });
    let text = '';
    let byteCount = 0;
    for (;;) {
      const found = lexer.push(window.bytes, window.at, window.end);
      const end = found < 0 ? window.end : found;
      byteCount += end - window.at;
      if (byteCount <= statementBytesMax) text += window.bytes.toString('latin1', window.at, end);
      window.at = end;
      if (found >= 0) break;
      if (await window.more()) continue;
      this.#isCut = true;
      break;
    }
    this.#line += lexer.lines;
    return byteCount <= statementBytesMax ? text : '';
  }

  /**
   * Reads the part of an INSERT before its values.
   *
   * @returns undefined for an INSERT of another kind.
   */
  #insertHead(): Run | undefined {
    const { bytes, at, end } = this.#window;
    const text = bytes.toString('latin1', at, Math.min(end, at + headBytesMax));
    const tokens = this.#tokens(text);
    const { dialect, place } = this.#state;
    while (!tokens.accept('INTO')) if (tokens.take().kind !== 'word') return undefined;
    const name = takeName(tokens, dialect, place);
    const columns = tokens.is('(') ? takeColumns(tokens, dialect) : undefined;
    if (tokens.accept('OVERRIDING')) tokens.acceptAll(tokens.is('SYSTEM') ? 'SYSTEM VALUE' : 'USER VALUE');
    const { end: headEnd } = tokens.next;
    if (!name || !tokens.accept('VALUES', 'VALUE')) return undefined;
    return this.#beginRun(name, { kind: 'insert', columns, head: Buffer.from(text.slice(0, headEnd), 'latin1') });
  }

  /** Reads `INSERT INTO t SET a = 1, b = 'x'`, a row whose values are held. @returns whether it is one. */
  #insertSet(text: string, line: number): boolean {
    const tokens = this.#tokens(text);
    while (!tokens.accept('INTO')) if (tokens.take().kind !== 'word') return false;
    const name = takeName(tokens, this.#state.dialect, this.#state.place);
    if (!name || !tokens.accept('SET') || this.#heldBytes + text.length > heldBytesMax) return false;
    const columns: string[] = [];
    const values: string[] = [];
    do {
      columns.push(tokens.take().text);
      const start = tokens.next.end;
      if (!tokens.accept('=')) return false;
      let end = start;
      for (let depth = 0; !tokens.isAtEnd && (depth > 0 || !tokens.is(',', ';', 'ON')); end = tokens.take().end) {
        depth += Number(tokens.is('(')) - Number(tokens.is(')'));
      }
      values.push(text.slice(start, end));
    } while (tokens.accept(','));
    const row = Buffer.from(`(${values.join(',')})`, 'latin1');
    this.#heldBytes += row.length;
    const { settings, catalogue } = this.#state;
    const form: DataForm = { kind: 'insert', columns, head: Buffer.alloc(0), settings };
    const table = catalogue.obtain(name);
    const start = this.#window.place;
    table.sections.push({ form, start, end: start, line, isCut: false, row });
    table.rowCount += 1;
    return true;
  }

  #beginRun(name: TableName, { kind, columns, head }: Omit<DataForm, 'settings'>): Run {
    const table = this.#state.catalogue.obtain(name);
    const { settings } = this.#state;
    const last = table.sections.at(-1)?.form;
    const isSame = last?.settings === settings && last.kind === kind && last.head.equals(head);
    const form = isSame ? last : { kind, columns, head, settings };
    const start = this.#window.place;
    const section: DataSection = { form, start, end: start, line: this.#line, isCut: false };
    table.sections.push(section);
    this.#lastTable = table;
    return { table, section };
  }

  /** All statements that begin like this one, as far as they follow one another. */
  async #insertRows(run: Run): Promise<void> {
    const window = this.#window;
    const { table, section } = run;
    const { head } = section.form;
    const { dialect, settings } = this.#state;
    const delimiter = this.#delimiter;
    const lexer = new StatementLexer({ dialect, isEscaping: settings.isEscaping, delimiter, isInsert: true });
    const headLines = linesIn(head, 0, head.length);
    do {
      window.at += head.length;
      this.#line += headLines;
      section.isCut = !(await this.#pass(lexer));
      section.end = window.place;
      this.#skipSpace();
    } while (!section.isCut && startsWith(window, head));
    this.#isCut ||= section.isCut;
    this.#line += lexer.lines;
    table.rowCount += lexer.rows;
    this.#run = run;
  }

  /** Goes behind the end of a statement. @returns whether it has one. */
  async #pass(lexer: StatementLexer): Promise<boolean> {
    const window = this.#window;
    for (;;) {
      const found = lexer.push(window.bytes, window.at, window.end);
      window.at = found < 0 ? window.end : found;
      if (found >= 0) return true;
      if (!(await window.more())) return false;
    }
  }

  async #copyRows(text: string): Promise<void> {
    const { dialect, place } = this.#state;
    const tokens = this.#tokens(text);
    tokens.accept('COPY');
    const name = takeName(tokens, dialect, place);
    const columns = tokens.is('(') ? takeColumns(tokens, dialect) : undefined;
    this.#refuseOptions(text);
    await this.#takeLine();
    if (await this.#window.ensure(1)) {
      this.#window.at += 1;
      this.#line += 1;
    }
    if (!name) return;
    const run = this.#beginRun(name, { kind: 'copy', columns, head: Buffer.alloc(0) });
    const rows = await this.#passCopy(run.section);
    run.table.rowCount += rows;
    this.#line += rows + Number(!run.section.isCut);
  }

  #refuseOptions(text: string): void {
    const options = text.slice(text.search(fromStandardInput));
    if (!/\b(?:CSV|DELIMITERS?|BINARY|NULL|DEFAULT|ENCODING|HEADER|WHERE)\b/i.test(options)) return;
    throw new SourceError('Cannot read the dump: expected "COPY … FROM stdin;", found options behind it', {
      location: { path: this.#path, line: this.#line },
      hint: 'Make the dump with pg_dump, without options for COPY',
    });
  }

  /** Goes on behind the line `\.`. @returns how many lines came before it */
  async #passCopy(section: DataSection): Promise<number> {
    const window = this.#window;
    let rows = 0;
    let isInside = false;
    for (;;) {
      const view = window.bytes.subarray(0, window.end);
      let at = window.at;
      for (let end = view.indexOf(10, at); end >= 0; end = view.indexOf(10, at)) {
        if (!isInside && view[at] === 92 && isEndMark(view, at, end)) {
          window.at = at;
          section.end = window.place;
          window.at = end + 1;
          return rows;
        }
        isInside = false;
        rows += 1;
        at = end + 1;
      }
      // The beginning of a line that does not fit is known to be no end mark.
      isInside ||= view.length - at > 4;
      window.at = isInside ? view.length : at;
      if (await window.more()) continue;
      section.end = window.place;
      section.isCut = isInside || !isEndMark(window.bytes, window.at, window.end);
      this.#isCut ||= section.isCut;
      window.at = window.end;
      return rows;
    }
  }
}

const fromStandardInput = /\bFROM\s+stdin\b/i;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** `\.`, with or without the carriage return of Windows. */
const isEndMark = (bytes: Buffer, at: number, end: number): boolean =>
  bytes[at] === 92 && bytes[at + 1] === 46 && (end === at + 2 || (end === at + 3 && bytes[at + 2] === 13));

/**
 * Returns whether this statement contains others, up to END: triggers of SQLite and functions of PostgreSQL. Read by
 * themselves, they would be taken for statements of the dump.
 */
function holdsStatements(text: string, dialect: Dialect): boolean {
  if (dialect === 'sqlite') return /^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i.test(text);
  const isRoutine = /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b/i.test(text);
  return dialect === 'postgres' && isRoutine && /\bBEGIN\s+ATOMIC\b/i.test(text);
}

function linesIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (bytes[at] === 10) count += 1;
  return count;
}

function decodeLatin1(latin1: string, decoding: TextDecoding): string {
  if (!/[^\x00-\x7f]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return decoding.decode(bytes, 0, bytes.length) ?? bytes.toString('utf8');
}
