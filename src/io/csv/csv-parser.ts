import { Parser } from 'csv-parse';
import type { CsvDialect } from './csv-dialect.ts';

/** Characters of one row. A quote that is never closed makes a row of the rest of the file: at this size it is known for what it is. */
export const rowLengthMax = 16 * 1024 * 1024;

/** Maximum number of fields in one row: a chat table has some dozens. Each takes memory, whatever it contains. */
export const fieldsMax = 100_000;

export const parserOptions = ({ delimiter, quote, escapedBy, lineEnd }: CsvDialect) => ({
  delimiter,
  quote,
  escape: escapedBy ?? quote,
  record_delimiter: lineEnd === 'cr' ? ['\r'] : ['\r\n', '\n'],
  relax_column_count: true,
});

/** A row, and where it ends: bytes from what was first written. */
export interface ParsedRow {
  readonly cells: readonly string[];
  readonly end: number;
}

/** Adds what the types of the parser leave out: the fields of the row that is being read. */
type CountingParser = Parser & { readonly state: { readonly record: readonly string[] } };

/**
 * Wraps csv-parse and takes its rows at the source: every row passes through `push`, and at that moment `info` has its
 * end. As stream events, rows would come later, without that position, and would cost more than their parsing.
 */
export class CsvParser {
  readonly #rows: ParsedRow[] = [];
  readonly #parser: CountingParser;

  constructor(dialect: CsvDialect) {
    const rows = this.#rows;
    this.#parser = new (class extends Parser {
      override push(row: readonly string[] | null): boolean {
        if (row === null) return super.push(null);
        rows.push({ cells: row, end: this.info.bytes });
        return true;
      }
    })({ ...parserOptions(dialect), skip_empty_lines: true, max_record_size: rowLengthMax }) as CountingParser;
    // The call that met an error returns it.
    this.#parser.on('error', () => {});
    this.#parser.resume();
  }

  get fieldCount(): number {
    return this.#parser.state.record.length;
  }

  /** @returns the rows that are complete, and the code of the error that ended it: nothing more can be written then. */
  async write(chunk: Uint8Array): Promise<{ readonly rows: readonly ParsedRow[]; readonly fault?: string }> {
    return this.#taken(await new Promise((resolve) => this.#parser.write(chunk, (error) => resolve(error))));
  }

  async end(): Promise<{ readonly rows: readonly ParsedRow[]; readonly fault?: string }> {
    const ended = new Promise<Error | undefined>((resolve) => {
      this.#parser.once('end', () => resolve(undefined));
      this.#parser.once('error', resolve);
    });
    this.#parser.end();
    return this.#taken(await ended);
  }

  #taken(error: Error | null | undefined): { readonly rows: readonly ParsedRow[]; readonly fault?: string } {
    const rows = this.#rows.splice(0);
    return error ? { rows, fault: (error as Error & { readonly code?: string }).code ?? error.message } : { rows };
  }
}
