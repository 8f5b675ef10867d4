import {
  type CsvDialect,
  type DetectedDelimiter,
  detectDelimiters,
  headRows,
  lineEndOf,
} from '../../io/csv/csv-dialect.ts';
import { type DetectedEncoding, detectEncoding } from '../../io/text-encoding.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { type Header, headerOf } from './header.ts';
import type { FileOptions } from './options.ts';

/** How a file is written, as its beginning shows and the mapping says. */
export interface FileLook {
  readonly encoding: DetectedEncoding;
  readonly dialect: CsvDialect;
  /** Delimiters that make a table of it, the best first; empty for one that the mapping names, or where none does. */
  readonly delimiters: readonly DetectedDelimiter[];
  readonly header: Header;
  /** Whether the first line is Excel's `sep=;`, which is no row. */
  readonly hasSeparatorLine: boolean;
  /** Bytes of the mark with which the file begins, where it is UTF-8. */
  readonly markBytes: number;
  /** The first rows, the header's among them. */
  readonly rows: readonly (readonly string[])[];
}

/** What is looked at to tell encoding and delimiter: enough for some hundred messages. */
export const lookBytes = 256 * 1024;

/** @param head The first `lookBytes` of the file, or all of it. */
export function lookAtFile(head: Uint8Array, options: FileOptions): FileLook {
  const encoding =
    options.encoding === 'auto'
      ? detectEncoding(head)
      : { encoding: options.encoding, because: 'set in the mapping', isGuess: false };
  const isWhole = head.length < lookBytes;
  const text = new TextDecoder(encoding.encoding).decode(head);
  const quote = options.quote === 'none' ? null : options.quote;
  const writing = { quote, escapedBy: options.escape ?? quote, lineEnd: lineEndOf(text) };
  const delimiters = options.delimiter === 'auto' ? detectDelimiters(text, writing, isWhole) : [];
  const named = options.delimiter === 'auto' ? undefined : options.delimiter === 'tab' ? '\t' : options.delimiter;
  const dialect = { ...writing, delimiter: named ?? delimiters[0]?.delimiter ?? ',' };
  const rows = headRows(text, dialect, isWhole);
  return {
    encoding,
    dialect,
    delimiters,
    header: headerOf(rows[0] ?? [], options.header),
    hasSeparatorLine: /^sep=.\r?\n/.test(text),
    markBytes: head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0,
    rows,
  };
}

/** Equal where the rows of a file are read alike. */
export const lookDigest = ({ encoding, dialect, header, hasSeparatorLine, markBytes }: FileLook): string => {
  const { encoding: label, because, isGuess } = encoding;
  return sha256Hex(
    JSON.stringify([label, isGuess && because, dialect, header.names, header.isFirstRow, hasSeparatorLine, markBytes]),
  );
};
