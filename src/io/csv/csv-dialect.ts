import { parse } from 'csv-parse/sync';

export interface CsvDialect {
  readonly delimiter: string;
  /** Null if no character has that meaning: a dump that never quotes. */
  readonly quote: string | null;
  /** Character that escapes a quote inside a quoted field: the quote itself, or a backslash. */
  readonly escapedBy: string | null;
  /** Whether `\n`, `\t`, `\\` and the like stand for characters. Absent: a backslash is one. */
  readonly sequences?: true;
  /** `cr`: rows end as on old Macs. Then no line feed ends one. */
  readonly lineEnd: 'lf' | 'cr';
}

export interface DetectedDelimiter {
  readonly delimiter: string;
  /** Fields of most rows. */
  readonly fieldCount: number;
  /** Share of rows with that many fields: 0 to 1. */
  readonly consistency: number;
  readonly rowCount: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

const rowsMax = 200;

/**
 * Returns the delimiters that make a table of the text, the best first: nearly all rows have the same number of fields,
 * at least two, and the more the better. Empty if there is none.
 *
 * @param head The beginning of the text.
 * @param isWhole Whether it is all of it; otherwise its last row may be cut and is not looked at.
 */
export function detectDelimiters(
  head: string,
  dialect: Omit<CsvDialect, 'delimiter'>,
  isWhole: boolean,
): readonly DetectedDelimiter[] {
  const named = /^sep=(.)\r?\n/.exec(head)?.[1];
  return (named === undefined ? delimiters : [named])
    .map((delimiter) => tryDelimiter(head, { ...dialect, delimiter }, isWhole))
    .filter(({ fieldCount, consistency }) => fieldCount > 1 && consistency > 0.8)
    .sort((a, b) => score(b) - score(a));
}

/** One row in a hundred may be broken for the sake of a better table, not one in ten. */
const score = ({ consistency, fieldCount }: DetectedDelimiter) => Math.round(consistency * 100) * 1000 + fieldCount;

function tryDelimiter(head: string, dialect: CsvDialect, isWhole: boolean): DetectedDelimiter {
  const rows = headRows(head, dialect, isWhole);
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [fieldCount, rowCount] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return {
    delimiter: dialect.delimiter,
    fieldCount,
    consistency: rowCount / Math.max(1, rows.length),
    rowCount: rows.length,
  };
}

/** The first rows, without those whose quotes are wrong. */
export function headRows(head: string, dialect: CsvDialect, isWhole: boolean): string[][] {
  const text = head.replace(/^\ufeff/, '').replace(/^sep=.\r?\n/, '');
  const { rows, isOpen } = parseRows(text, dialect);
  if (rows.length === rowsMax) return rows;
  // A quote that is never closed near the beginning has taken the other rows in: then each line is one.
  if (isOpen && rows.length <= 1) return parseLineByLine(text, dialect);
  return isWhole || isOpen ? rows : rows.slice(0, -1);
}

function parseRows(text: string, { delimiter, quote, escapedBy, lineEnd }: CsvDialect) {
  let isOpen = false;
  const rows: string[][] = parse(text, {
    delimiter,
    quote,
    escape: escapedBy ?? quote,
    record_delimiter: lineEnd === 'cr' ? ['\r'] : ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    to: rowsMax,
    on_skip: (error) => {
      isOpen ||= error?.code === 'CSV_QUOTE_NOT_CLOSED';
      return undefined;
    },
  });
  return { rows, isOpen };
}

function parseLineByLine(text: string, dialect: CsvDialect): string[][] {
  const lines = text.split(dialect.lineEnd === 'cr' ? '\r' : '\n', rowsMax + 1).slice(0, -1);
  return lines.flatMap((line) => parseRows(line, dialect).rows);
}

export const detectLineEnd = (head: string): CsvDialect['lineEnd'] =>
  !head.includes('\n') && head.includes('\r') ? 'cr' : 'lf';
