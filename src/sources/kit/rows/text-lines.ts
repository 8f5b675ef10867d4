import { isUtf8 } from 'node:buffer';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { utf8Chunks } from '../../../io/text-encoding.ts';
import { SourceError } from '../../../lib/errors.ts';
import type { RowProblem } from '../entries.ts';

/** A line of a text file, without its line end. */
export interface TextLine {
  /** 1-based. */
  readonly line: number;
  /** Bytes that are no characters are U+FFFD. Empty for a line that is too long. */
  readonly text: string;
  /** `damaged`: it holds such bytes. `too-long`: it is longer than `lineBytesMax`, and nothing of it was kept. */
  readonly fault?: 'damaged' | 'too-long';
  /** The line is no UTF-8, and was read in the encoding that `otherwise` names. */
  readonly isOtherwise?: true;
}

export interface TextLinesOptions {
  /** A label of the Encoding Standard. Default utf-8; `detectEncoding` of `io/` detects it from a file's beginning. */
  readonly encoding?: string;
  /**
   * Encoding of single lines that are not UTF-8 in a UTF-8 file: a log written by many clients is a mixture. Use an
   * encoding in which every byte is a character, such as windows-1252; then no line is damaged.
   */
  readonly otherwise?: string;
  /** Bytes of one line. Default 1 MiB: no chat has longer ones. */
  readonly lineBytesMax?: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The lines of a text file of any size, in lists, one for a chunk. LF and CR LF end a line; a byte order mark is no part of the
 * first one. What follows the last line end is a line unless it is empty.
 *
 *     for await (const lines of readTextLines(input, path)) {
 *       for (const { line, text } of lines) …  // at { path, line }
 *     }
 *
 * Memory: one chunk, and the line that goes on behind it.
 *
 * @throws SourceError if the file cannot be read (any further), after everything before it.
 */
export async function* readTextLines(
  input: ExportInput,
  path: string,
  { encoding = 'utf-8', otherwise, lineBytesMax = 2 ** 20 }: TextLinesOptions = {},
): AsyncGenerator<readonly TextLine[]> {
  const lines = new TextLines(lineBytesMax, otherwise === undefined ? undefined : new TextDecoder(otherwise));
  for await (const chunk of utf8Chunks(input.open(path), encoding)) {
    const found = lines.push(chunk);
    if (found.length > 0) yield found;
  }
  const last = lines.end();
  if (last) yield [last];
}

/** The same lists, until the file cannot be read any further: the pass that reads its messages reports that. */
export async function* untilUnreadable<List>(lists: AsyncIterable<List>): AsyncGenerator<List> {
  try {
    yield* lists;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}

class TextLines {
  readonly #lineBytesMax: number;
  /** For lines that are not UTF-8. */
  readonly #decoder: TextDecoder | undefined;
  /** Pieces of the line that goes on, at most `lineBytesMax` in all. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isTooLong = false;
  #line = 1;

  constructor(lineBytesMax: number, decoder: TextDecoder | undefined) {
    this.#lineBytesMax = lineBytesMax;
    this.#decoder = decoder;
  }

  push(chunk: Buffer): readonly TextLine[] {
    const found: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#hold(chunk.subarray(start, end));
      found.push(this.#take());
      start = found.length === 1 ? this.#addWhole(chunk, end + 1, found) : end + 1;
    }
    // The chunk is its owner's, who may use it again.
    if (start < chunk.length) this.#hold(Buffer.from(chunk.subarray(start)));
    return found;
  }

  /** The lines that are whole in a chunk, where all are well, as a rule. @returns where those begin that were not added. */
  #addWhole(chunk: Buffer, from: number, found: TextLine[]): number {
    const last = chunk.lastIndexOf(lineFeed);
    // Asked once for all of them.
    if (last - from > this.#lineBytesMax || !isUtf8(chunk.subarray(from, last + 1))) return from;
    let start = from;
    while (start <= last) {
      const end = chunk.indexOf(lineFeed, start);
      const hasReturn = end > start && chunk[end - 1] === carriageReturn;
      found.push({ line: this.#line++, text: chunk.toString('utf8', start, hasReturn ? end - 1 : end) });
      start = end + 1;
    }
    return start;
  }

  end(): TextLine | undefined {
    return this.#heldBytes > 0 || this.#isTooLong ? this.#take() : undefined;
  }

  #hold(piece: Buffer): void {
    this.#isTooLong ||= this.#heldBytes + piece.length > this.#lineBytesMax;
    if (this.#isTooLong) this.#held = [];
    else if (piece.length > 0) this.#held.push(piece);
    this.#heldBytes = this.#isTooLong ? 0 : this.#heldBytes + piece.length;
  }

  #take(): TextLine {
    const line = this.#line++;
    const whole = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    const isTooLong = this.#isTooLong;
    this.#held = [];
    this.#heldBytes = 0;
    this.#isTooLong = false;
    if (isTooLong) return { line, text: '', fault: 'too-long' };
    const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    if (isUtf8(bytes)) return { line, text: bytes.toString('utf8') };
    if (this.#decoder) return { line, text: this.#decoder.decode(bytes), isOtherwise: true };
    return { line, text: bytes.toString('utf8'), fault: 'damaged' };
  }
}

/** Returns the problem of a line with a fault. Add it with its location, through `RowNotes` if a file may have many. */
export const lineProblem = (fault: NonNullable<TextLine['fault']>): RowProblem =>
  fault === 'damaged'
    ? {
        code: 'damaged-text',
        reason: 'The line has bytes that are not valid characters; they are replaced with U+FFFD',
      }
    : { code: 'line-too-long', reason: 'Cannot read the line: it is longer than any message' };
