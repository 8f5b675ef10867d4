import { formatCount } from '../../lib/text/count.ts';
import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { CsvDialect } from './csv-dialect.ts';
import { CsvParser, fieldsMax, type ParsedRow, parserOptions, rowLengthMax } from './csv-parser.ts';
import { PlainRow } from './plain-rows.ts';

/** One row of a table, or why there is none. `line` is that of the file in which it begins, from 1. */
export type CsvRow =
  | {
      readonly line: number;
      readonly cells: readonly string[];
      /** Bytes that are no character became U+FFFD. */
      readonly isDamaged: boolean;
      readonly fault?: undefined;
    }
  | { readonly line: number; readonly fault: CsvFault };

export interface CsvFault {
  readonly code: 'stray-quote' | 'text-after-quote' | 'unclosed-quote' | 'row-too-long';
  readonly reason: string;
  /** Line at which reading continues because it looks like a row, if the quote took in further lines. */
  readonly goesOnAt?: number;
}

/**
 * The rows of a table, in lists, empty lines left out. A row that cannot be read is a fault, and reading goes on at the next line
 * that looks like a row: with as many delimiters, or with a quote behind one. A quote inside a field that does not begin with one is
 * a character.
 *
 * In memory: what was read since the last whole row, at most that of the longest row that there may be.
 *
 * @param chunks UTF-8 without a byte order mark.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Buffer>,
  dialect: CsvDialect,
): AsyncGenerator<readonly CsvRow[]> {
  const reader = new CsvReader(dialect);
  for await (const chunk of chunks) {
    yield* reader.read(chunk);
  }
  // The parser looks beyond each row: the last one comes here.
  yield await reader.end();
  yield* reader.rest();
}

/** Number of bytes parsed at a time. Rows that are gone before the next ones come cost little memory and less time. */
const pieceBytes = 16 * 1024;

/** A plain row that is longer may have a quote that is never closed: the parser does not begin again with each piece. */
const plainLengthMax = 64 * 1024;

const nothing = Buffer.alloc(0);
const lineFeed = 10;
const carriageReturn = 13;

/** A row that the parser refused, until its line is over. */
interface GivenUp {
  readonly fault: CsvFault;
  /** Content of its line, as long as it may still be read without the parser. */
  readonly kept: Buffer[];
  keptBytes: number;
}

class CsvReader {
  readonly #dialect: CsvDialect;
  readonly #lineEnd: number;
  #parser: CsvParser;
  /** Undefined if the parser reads all rows. */
  readonly #plain: PlainRow | undefined;
  /** Whether `#unfinished` was written to the parser. */
  #isParsing = false;
  /** Bytes read since the end of the last row. */
  #unfinished: Buffer[] = [];
  /** Start of `#unfinished`, in bytes from the first that was written to the parser. */
  #offset = 0;
  /** Line of the first byte of `#unfinished`. */
  #line = 1;
  /** Whether something in `#unfinished` is no UTF-8, or only cut at the end of a chunk. */
  #isSuspicious = false;
  #givenUp: GivenUp | undefined;
  /** Bytes after a row that never ended. */
  #rest: Buffer = nothing;
  /** Fields of the first row; before it of Excel's "sep=;", which is none. */
  #width = 0;
  #hasBegun = false;

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
    this.#lineEnd = dialect.lineEnd === 'cr' ? carriageReturn : lineFeed;
    this.#parser = new CsvParser(dialect);
    this.#plain = PlainRow.of(dialect);
  }

  /** In pieces: a row that is given up leaves as much to be read again as it took in. */
  async *read(chunk: Buffer): AsyncGenerator<readonly CsvRow[]> {
    const left = [chunk];
    for (let next = left.pop(); next; next = left.pop()) {
      if (next.length > pieceBytes) left.push(next.subarray(pieceBytes));
      const { rows, again } = await this.#readPiece(next.subarray(0, pieceBytes));
      if (rows.length > 0) yield rows;
      if (again.length > 0) left.push(again);
    }
  }

  async #readPiece(chunk: Buffer): Promise<{ readonly rows: CsvRow[]; readonly again: Buffer }> {
    this.#isSuspicious ||= !isUtf8(chunk);
    const found: CsvRow[] = [];
    const rest = this.#finishLine(chunk, found);
    if (rest.length === 0) return { rows: found, again: rest };
    this.#unfinished.push(rest);
    if (this.#plain && !this.#isParsing && this.#takePlain(this.#plain, found)) return { rows: found, again: nothing };
    const { rows, fault } = await this.#parse(this.#isParsing ? rest : this.#joined());
    this.#take(rows, found);
    const code = fault ?? (this.#parser.fieldCount > fieldsMax ? tooManyFields : undefined);
    if (code !== undefined) return { rows: found, again: this.#giveUp(code, found) };
    // What follows a row may be plain again.
    if (this.#plain && rows.length > 0) this.#beginParser();
    return { rows: found, again: nothing };
  }

  /** Reads the plain rows in `#unfinished`. @returns whether what is left may be one too, once the rest of it is there. */
  #takePlain(plain: PlainRow, into: CsvRow[]): boolean {
    const bytes = this.#joined();
    let at = this.#skipEmptyLines(bytes, 0);
    let end = plain.read(bytes, at);
    for (; end === undefined; end = plain.read(bytes, at)) {
      this.#add(plain.cells, bytes.subarray(at, plain.end), into);
      this.#line += plain.lineCount;
      at = this.#skipEmptyLines(bytes, plain.end);
    }
    this.#unfinished = [bytes.subarray(at)];
    this.#isSuspicious &&= !isUtf8(bytes.subarray(at));
    return end === 'unfinished' && bytes.length - at < plainLengthMax;
  }

  #parse(bytes: Buffer): ReturnType<CsvParser['write']> {
    this.#isParsing = true;
    return this.#parser.write(bytes);
  }

  #beginParser(): void {
    this.#parser = new CsvParser(this.#dialect);
    this.#isParsing = false;
    this.#offset = 0;
  }

  /** The last rows; where `rest` says that there are more, all but these. */
  async end(): Promise<readonly CsvRow[]> {
    const found: CsvRow[] = [];
    if (this.#givenUp) this.#endLine(this.#givenUp, found);
    const written = this.#isParsing ? undefined : await this.#parse(this.#joined());
    this.#take(written?.rows ?? [], found);
    const { rows, fault } =
      written?.fault === undefined ? await this.#parser.end() : { rows: [], fault: written.fault };
    this.#take(rows, found);
    this.#rest = fault === undefined ? nothing : this.#giveUp(fault, found);
    return found;
  }

  /** Reads the bytes after a row that never ended. Call it after `end`. */
  async *rest(): AsyncGenerator<readonly CsvRow[]> {
    while (this.#rest.length > 0 || this.#givenUp) {
      yield* this.read(this.#rest);
      yield await this.end();
    }
  }

  /** Finds out on which line each row begins. */
  #take(rows: readonly ParsedRow[], into: CsvRow[]): void {
    if (rows.length === 0) return;
    const bytes = this.#joined();
    let at = 0;
    for (const { cells, end } of rows) {
      at = this.#skipEmptyLines(bytes, at);
      const rowEnd = end - this.#offset;
      this.#add(cells, bytes.subarray(at, rowEnd), into);
      this.#countLines(bytes, at, rowEnd);
      at = rowEnd;
    }
    this.#unfinished = [bytes.subarray(at)];
    this.#offset += at;
    this.#isSuspicious = this.#isSuspicious && !isUtf8(bytes.subarray(at));
  }

  /** Adds a row that begins on the current line. */
  #add(cells: readonly string[], bytes: Buffer, into: CsvRow[]): void {
    if (!this.#hasBegun) this.#width = cells.length;
    this.#hasBegun ||= cells[0] !== 'sep=';
    into.push({ line: this.#line, cells, isDamaged: this.#isSuspicious && !isUtf8(bytes) });
  }

  /** @returns what follows the first line of the row that was being read. */
  #giveUp(code: string, into: CsvRow[]): Buffer {
    const bytes = this.#joined();
    const begin = this.#skipEmptyLines(bytes, 0);
    this.#givenUp = { fault: toCsvFault(code, bytes.subarray(begin, begin + 60)), kept: [], keptBytes: 0 };
    this.#unfinished = [];
    this.#beginParser();
    const rest = this.#finishLine(bytes.subarray(begin), into);
    const line = bytes.subarray(begin, bytes.length - rest.length);
    return rest.length > 0 && this.#takesMoreIn(line) ? this.#skipToRow(rest, into) : rest;
  }

  /** Whether a quote is still open at the end of a line. */
  #takesMoreIn(line: Buffer): boolean {
    try {
      parse(line, { ...parserOptions(this.#dialect), relax_quotes: true });
      return false;
    } catch (error) {
      return (error as { readonly code?: string }).code === 'CSV_QUOTE_NOT_CLOSED';
    }
  }

  /** Lines that a quote took in and that look like no row are a part of the row that was given up. */
  #skipToRow(bytes: Buffer, into: CsvRow[]): Buffer {
    let at = 0;
    for (let end = this.#lineEndIn(bytes, at); end > at && !this.#isLikeRow(bytes.subarray(at, end)); ) {
      this.#line += 1;
      at = end;
      end = this.#lineEndIn(bytes, at);
    }
    const row = into.at(-1);
    if (row?.fault) into[into.length - 1] = { ...row, fault: { ...row.fault, goesOnAt: this.#line } };
    return bytes.subarray(at);
  }

  /** Behind the line that begins there; there itself, where it does not end. */
  #lineEndIn(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(this.#lineEnd, from);
    return end === -1 ? from : end + 1;
  }

  /** As many delimiters as the first row has, or a field that begins with a quote and may go on in the next line. */
  #isLikeRow(line: Buffer): boolean {
    const { delimiter, quote } = this.#dialect;
    const text = line.toString('latin1');
    const fields = text.split(Buffer.from(delimiter).toString('latin1'));
    return fields.length >= this.#width || (quote !== null && fields.slice(1).some((field) => field.startsWith(quote)));
  }

  /** @returns the bytes after the line of a row that was given up; all bytes if there is no such row. */
  #finishLine(bytes: Buffer, into: CsvRow[]): Buffer {
    const row = this.#givenUp;
    if (!row) return bytes;
    const lineEnd = bytes.indexOf(this.#lineEnd);
    const piece = lineEnd === -1 ? bytes : bytes.subarray(0, lineEnd);
    row.keptBytes += piece.length;
    if (row.fault.code === 'stray-quote' && row.keptBytes < rowLengthMax) row.kept.push(piece);
    else row.kept.length = 0;
    if (lineEnd === -1) return bytes.subarray(bytes.length);
    this.#endLine(row, into);
    return bytes.subarray(lineEnd + 1);
  }

  #endLine({ fault, kept }: GivenUp, into: CsvRow[]): void {
    const cells = cellsWithoutQuoting(Buffer.concat(kept).toString('utf8'), this.#dialect);
    if (cells) into.push({ line: this.#line, cells, isDamaged: cells.some((cell) => cell.includes('\ufffd')) });
    else into.push({ line: this.#line, fault });
    this.#line += 1;
    this.#givenUp = undefined;
  }

  #joined(): Buffer {
    return this.#unfinished.length === 1 ? this.#unfinished[0]! : Buffer.concat(this.#unfinished);
  }

  #skipEmptyLines(bytes: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const isCrlf = bytes[at] === carriageReturn && bytes[at + 1] === this.#lineEnd && this.#lineEnd === lineFeed;
      if (!isCrlf && bytes[at] !== this.#lineEnd) return at;
      this.#line += 1;
      at += isCrlf ? 2 : 1;
    }
  }

  #countLines(bytes: Buffer, from: number, to: number): void {
    for (let at = bytes.indexOf(this.#lineEnd, from); at !== -1 && at < to; at = bytes.indexOf(this.#lineEnd, at + 1)) {
      this.#line += 1;
    }
  }
}

/** Splits a line in which no field begins with a quote: quotes then mean nothing, as in `1,she said "hi"`. Undefined for any other line. */
function cellsWithoutQuoting(line: string, { delimiter, quote }: CsvDialect): string[] | undefined {
  const cells = line.replace(/\r$/, '').split(delimiter);
  return line === '' || quote === null || cells.some((cell) => cell.startsWith(quote)) ? undefined : cells;
}

/** Code of our own, in addition to those of csv-parse. */
const tooManyFields = 'TOO_MANY_FIELDS';

function toCsvFault(code: string, begin: Buffer): CsvFault {
  const row = `the row that begins ${JSON.stringify(begin.toString('utf8').split(/[\r\n]/)[0])}`;
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return {
      code: 'unclosed-quote',
      reason: `Cannot read ${row}: expected a closing quote, found the end of the file`,
    };
  }
  if (code === 'CSV_INVALID_CLOSING_QUOTE') {
    const reason = `Cannot read ${row}: expected a delimiter or the end of the line after a closing quote, found text; a quote inside a quoted field is written twice`;
    return { code: 'text-after-quote', reason };
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    const reason = `Cannot read ${row}: expected at most ${rowLengthMax / 1024 / 1024} million characters, found more; a quote in it may never be closed`;
    return { code: 'row-too-long', reason };
  }
  if (code === tooManyFields) {
    return {
      code: 'row-too-long',
      reason: `Cannot read ${row}: expected at most ${formatCount(fieldsMax)} fields, found more`,
    };
  }
  const reason = `Cannot read ${row}: found a quote inside an unquoted field, next to a quoted field; if quotes have no meaning, set "quote" to "none"`;
  return { code: 'stray-quote', reason };
}
