import { readsAsJsonLines } from '../../io/input/lines-of-json.ts';
import {
  type CsvDialect,
  detectDelimiters,
  type DetectedDelimiter,
  headRows,
  detectLineEnd,
} from '../../io/csv/csv-dialect.ts';
import { type FoundEscapes, findEscapes } from '../../io/csv/csv-escapes.ts';
import { type DetectedEncoding, detectEncoding } from '../../io/text-encoding.ts';
import type { FileOptions } from './options.ts';

/** How a file is written, as its beginning shows and the mapping says. */
export interface CsvShape {
  readonly encoding: DetectedEncoding;
  readonly dialect: CsvDialect;
  /** Delimiters that make a table of it, the best first; empty if the mapping names one, or if none does. */
  readonly delimiters: readonly DetectedDelimiter[];
  readonly header: Header;
  /** Whether the first line is Excel's `sep=;`, which is no row. */
  readonly hasSeparatorLine: boolean;
  /** Meaning of backslashes at the beginning, if the mapping does not set it. */
  readonly unsaidEscapes: FoundEscapes;
  /** The first rows, the header's among them. */
  readonly rows: readonly (readonly string[])[];
}

/** Bytes that are inspected to detect encoding and delimiter: enough for some hundred messages. */
export const peekBytes = 256 * 1024;

/** @param head The first `peekBytes` of the file, or all of it. */
export function findCsvShape(head: Uint8Array, options: FileOptions): CsvShape {
  const encoding =
    options.encoding === 'auto'
      ? detectEncoding(head)
      : { encoding: withoutDecoded(options.encoding, head), because: 'set in the mapping', isGuess: false };
  const isWhole = head.length < peekBytes;
  const isBackslashed = options.escapes === 'backslash';
  const decoded = new TextDecoder(encoding.encoding).decode(head);
  // With this line COPY says that its rows end.
  const text = isBackslashed ? decoded.replace(/^\\\.\r?\n?/m, '') : decoded;
  const quote = options.quote === 'none' || isBackslashed ? null : options.quote;
  const sequences = isBackslashed ? { sequences: true as const } : {};
  const writing = { quote, escapedBy: options.escape ?? quote, lineEnd: detectLineEnd(text), ...sequences };
  const delimiters = options.delimiter === 'auto' ? detectDelimiters(text, writing, isWhole) : [];
  const named = options.delimiter === 'auto' ? undefined : options.delimiter === 'tab' ? '\t' : options.delimiter;
  const dialect = { ...writing, delimiter: named ?? delimiters[0]?.delimiter ?? ',' };
  const rows = headRows(text, dialect, isWhole);
  return {
    encoding,
    dialect,
    delimiters,
    header: findHeader(rows[0] ?? [], options.header),
    hasSeparatorLine: /^sep=.\r?\n/.test(text),
    unsaidEscapes: unsaidEscapes(text, options),
    rows,
  };
}

/**
 * Returns UTF-8 for UTF-16 whose first bytes identify it: the text is then decoded already, and has no zeros, as UTF-16
 * with delimiters has.
 */
const withoutDecoded = (named: string, head: Uint8Array): string =>
  /^utf-?16/i.test(named) && !head.includes(0) ? 'utf-8' : named;

function unsaidEscapes(text: string, options: FileOptions): FoundEscapes {
  const { escapes, quote } = options;
  const found = findEscapes(text);
  return {
    quotes: options.escape === undefined && quote === '"' && escapes === 'none' ? found.quotes : undefined,
    sequences: escapes === 'none' ? found.sequences : undefined,
  };
}

/** Names of the columns of a file. */
export interface Header {
  readonly names: readonly string[];
  /** Whether the first row holds them and is no row of the table. */
  readonly isFirstRow: boolean;
  /** Changes that made each name unique, a sentence for each. */
  readonly changes: readonly string[];
}

/** Returns whether the cell has a number, a date or a time: these are in rows, not above them. */
const isData = (cell: string) => /^[-+\d.,:/ TZ]+$/.test(cell) && /\d/.test(cell);

/**
 * The names that the first row gives: white space around them is cut off, an empty one becomes `column 3`, the second of
 * equal ones `name#2`.
 *
 * @param setting `auto`: the first row is a header unless it holds a number or a time.
 */
function findHeader(firstRow: readonly string[], setting: boolean | 'auto'): Header {
  const isFirstRow = setting === 'auto' ? !firstRow.some(isData) : setting;
  const numbered = firstRow.map((_, index) => `column ${index + 1}`);
  if (!isFirstRow) return { names: numbered, isFirstRow, changes: [] };
  const changes: string[] = [];
  const names: string[] = [];
  const taken = new Set(firstRow.map((cell) => cell.trim()));
  const counts = new Map<string, number>();
  for (const [index, cell] of firstRow.entries()) {
    const wanted = cell.trim();
    const count = (counts.get(wanted) ?? 0) + 1;
    counts.set(wanted, count);
    const name =
      wanted === '' ? free(numbered[index]!, taken) : count === 1 ? wanted : free(`${wanted}#${count}`, taken);
    if (name !== wanted)
      changes.push(
        `column ${index + 1} ${wanted === '' ? 'has no name' : `is named "${wanted}" like another`} and is called "${name}"`,
      );
    taken.add(name);
    names.push(name);
  }
  return { names, isFirstRow, changes };
}

/** The name, or the first of `name#2`, `name#3`, … that no other column has. */
function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}#${number}`)) number += 1;
  return `${name}#${number}`;
}

/** Endings of names of tables as text. */
const tablePattern = /\.(?:csv|tsv|tab|psv)$/i;

/** Endings of what is surely something else, where one file stands alone and its name decides nothing. */
const foreignPattern = /\.(?:json|jsonl|ndjson|html?|xml|sqlite3?|db|ya?ml|md|pdf|jpe?g|png|gif|webp|mp4|zip|gz)$/i;

/** Whether a path may hold a table, going by its name: one file that stands alone may be called anything. */
export const mayBeTable = (path: string, paths: readonly string[]): boolean =>
  isNamedTable(path) || (paths.length === 1 && !foreignPattern.test(path) && !readsAsJsonLines(path));

export const isNamedTable = (path: string): boolean => tablePattern.test(path) && !readsAsJsonLines(path);
