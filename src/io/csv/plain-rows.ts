import type { CsvDialect } from './csv-dialect.ts';
import { fieldsMax } from './csv-parser.ts';

const lineFeed = 10;
const carriageReturn = 13;
/** What no byte is. */
const noByte = -1;

/** Why no row is read: its end is not there yet, or it takes more to understand it. */
export type NoRow = 'unfinished' | 'odd';

/**
 * Reads rows whose fields are quoted as a whole or without any quote, which nearly all are, in a tenth of the time that csv-parse takes.
 * What it reads is what csv-parse reads; everything else is odd.
 *
 *     const row = PlainRow.of(dialect);
 *     if (row?.read(bytes, 0) === undefined) … row.cells, row.end, row.lineCount
 */
export class PlainRow {
  readonly #delimiter: number;
  readonly #quote: number;
  cells: string[] = [];
  /** Index behind the row and its line end. */
  end = 0;
  /** Line ends in the row, with that behind it. */
  lineCount = 0;

  /** @returns undefined for a dialect that only csv-parse can read. */
  static of({ delimiter, quote, escapedBy, lineEnd }: CsvDialect): PlainRow | undefined {
    const marks = [delimiter, quote ?? ''].map((mark) => Buffer.from(mark));
    const isSimple = marks.every(({ length }, index) => length === 1 || (index === 1 && quote === null));
    const isUsual = lineEnd === 'lf' && (escapedBy ?? quote) === quote && delimiter !== quote;
    return isSimple && isUsual && !/[\r\n]/.test(delimiter + (quote ?? ''))
      ? new PlainRow(marks[0]![0]!, marks[1]![0] ?? noByte)
      : undefined;
  }

  private constructor(delimiter: number, quote: number) {
    this.#delimiter = delimiter;
    this.#quote = quote;
  }

  /** Reads the row that begins at `from`. @returns why there is none. */
  read(bytes: Buffer, from: number): NoRow | undefined {
    const [delimiter, quote] = [this.#delimiter, this.#quote];
    const cells: string[] = [];
    let lineCount = 1;
    let at = from;
    for (;;) {
      const isQuoted = bytes[at] === quote;
      if (isQuoted) at += 1;
      const begin = at;
      let hasQuotes = false;
      // Bits of all bytes: without the highest they are ASCII, which is decoded in half the time.
      let bits = 0;
      for (; at < bytes.length; at += 1) {
        const byte = bytes[at]!;
        bits |= byte;
        if (byte === quote) {
          if (!isQuoted) return 'odd';
          if (bytes[at + 1] !== quote) break;
          hasQuotes = true;
          at += 1;
        } else if (byte === lineFeed) {
          if (!isQuoted) break;
          lineCount += 1;
        } else if (byte === delimiter && !isQuoted) break;
      }
      if (at === bytes.length) return 'unfinished';
      const hasReturn = !isQuoted && bytes[at] === lineFeed && at > begin && bytes[at - 1] === carriageReturn;
      const cell = bytes.toString(bits < 0x80 ? 'latin1' : 'utf8', begin, hasReturn ? at - 1 : at);
      cells.push(hasQuotes ? withoutDoubled(cell, quote) : cell);
      if (isQuoted && bytes[++at] === carriageReturn && ++at < bytes.length && bytes[at] !== lineFeed) return 'odd';
      const behind = bytes[at];
      at += 1;
      if (behind === lineFeed) break;
      if (behind === undefined) return 'unfinished';
      if (behind !== delimiter || cells.length === fieldsMax) return 'odd';
    }
    this.cells = cells;
    this.end = at;
    this.lineCount = lineCount;
    return undefined;
  }
}

function withoutDoubled(cell: string, quote: number): string {
  const mark = String.fromCharCode(quote);
  return cell.replaceAll(mark + mark, mark);
}
