import { formatCount } from '../../lib/text/count.ts';
import { asBuffer } from '../bytes.ts';
import { isUtf8 } from 'node:buffer';
import {
  type CheckedJsonOptions,
  elementFault,
  type JsonFault,
  type JsonOptions,
  type JsonValue,
  parseDecoded,
  parseJson,
  parseUtf8,
  withDefaults,
} from './json-element.ts';
import { findJsonFault, isSpace } from './json-fault.ts';
import { JsonValuesScanner, type LocatedJson } from './json-values.ts';
import { parseFaultLine } from '../fault-line.ts';
import { scanText } from '../to-utf8.ts';

const lineFeed = 0x0a;

/**
 * Yields the values of a file that has one on each line (NDJSON, JSON Lines), in lists, one for a chunk. UTF-8 or
 * UTF-16.
 *
 * Blank lines are passed over. A broken line affects only itself, unless it ends inside a string and is complete
 * together with the lines after it: then its writer left line breaks unescaped. A line with several consecutive values
 * yields each of them. Never throws for the content of the file; a fault of `chunks` itself is thrown after everything
 * before it.
 *
 * Memory: one chunk, and the line that continues after it; a line that is too long is not kept.
 */
export const readJsonLines = (
  chunks: AsyncIterable<Uint8Array>,
  options: JsonOptions = {},
): AsyncGenerator<readonly LocatedJson[]> =>
  scanText(chunks, (markBytes) => new JsonLines(withDefaults(options), markBytes));

class JsonLines {
  readonly #options: CheckedJsonOptions;
  /** Start of the next line, and its bytes from earlier chunks. */
  #line = 1;
  #byteOffset: number;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #values: LocatedJson[] = [];
  readonly #torn = new TornLines();

  constructor(options: CheckedJsonOptions, byteOffset: number) {
    this.#options = options;
    this.#byteOffset = byteOffset;
  }

  /** The values of the lines that end in this chunk. The chunk may be reused afterwards. */
  push(bytes: Uint8Array): readonly LocatedJson[] {
    const chunk = asBuffer(bytes);
    const firstEnd = chunk.indexOf(lineFeed);
    if (firstEnd === -1) {
      this.#keep(chunk);
      return [];
    }
    this.#finishKept(chunk.subarray(0, firstEnd));
    const lastEnd = chunk.lastIndexOf(lineFeed);
    // Decoded once for all lines of the chunk, of which every one is valid as a rule.
    const isValid = isUtf8(chunk.subarray(firstEnd, lastEnd));
    const text = isValid ? chunk.toString('utf8', firstEnd + 1, lastEnd + 1) : '';
    let textStart = 0;
    for (let start = firstEnd + 1; start <= lastEnd; ) {
      const end = chunk.indexOf(lineFeed, start);
      const textEnd = isValid ? text.indexOf('\n', textStart) : 0;
      if (end - start > this.#options.elementBytesMax) this.#refuse(end - start);
      else if (!isValid || !this.#takeWhole(text.slice(textStart, textEnd))) {
        this.#read(chunk.subarray(start, end), isValid);
      }
      this.#step(end - start + 1);
      start = end + 1;
      textStart = textEnd + 1;
    }
    this.#keep(chunk.subarray(lastEnd + 1));
    return this.#taken();
  }

  /** Reads a line that is one value, if no line before it goes on here. @returns whether it was. */
  #takeWhole(line: string): boolean {
    const result = this.#torn.isEmpty ? parseDecoded(line, this.#options) : undefined;
    if (!result || 'fault' in result) return false;
    this.#values.push({ line: this.#line, value: result.value });
    return true;
  }

  /** Nothing more will come: the last line, if no line feed ended it. */
  end(): readonly LocatedJson[] {
    const line = Buffer.concat(this.#pieces);
    this.#finishKept(Buffer.alloc(0));
    this.#values.push(...this.#torn.giveUp());
    const values = this.#taken();
    const last = values.at(-1);
    const isCut = last?.error?.code === 'syntax' && last.line === this.#line - 1;
    if (!isCut || findJsonFault(line)?.byteOffset !== line.length) return values;
    const error = { code: 'cut-off', scope: 'rest', reason: 'the file ends inside this value' } as const;
    return [...values.slice(0, -1), { line: last.line, error }];
  }

  #taken(): readonly LocatedJson[] {
    const values = this.#values;
    this.#values = [];
    return values;
  }

  #keep(piece: Buffer): void {
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > this.#options.elementBytesMax) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }

  /** @param last What this chunk holds of the line that began in an earlier one. */
  #finishKept(last: Buffer): void {
    const length = this.#pieceBytes + last.length;
    if (length > this.#options.elementBytesMax) this.#refuse(length);
    else this.#read(this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]), false);
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#step(length + 1);
  }

  #step(byteCount: number): void {
    this.#line += 1;
    this.#byteOffset += byteCount;
  }

  #refuse(byteCount: number): void {
    const reason = `it has ${formatCount(byteCount)} bytes, more than ${formatCount(this.#options.elementBytesMax)}`;
    this.#values.push(...this.#torn.giveUp(), { line: this.#line, error: elementFault('too-large', reason).fault });
  }

  #read(line: Buffer, isValid: boolean): void {
    const said = parseFaultLine(line);
    if (said !== undefined) {
      const { fault } = elementFault('damaged-record', said);
      this.#values.push(...this.#torn.giveUp(), { line: this.#line, error: fault });
      return;
    }
    if (isBlank(line)) {
      if (!this.#torn.isEmpty) this.#torn.hold(line, undefined);
      return;
    }
    const result = this.#parse(line, isValid);
    if (!this.#torn.isEmpty) {
      const whole = 'fault' in result ? this.#parse(this.#torn.with(line), false) : result;
      if ('fault' in result && !('fault' in whole)) {
        this.#values.push({ line: this.#torn.line, value: whole.value });
        this.#torn.giveUp();
        return;
      }
    }
    if (!('fault' in result)) this.#values.push(...this.#torn.giveUp(), { line: this.#line, value: result.value });
    else this.#readBroken(line, result.fault);
  }

  #readBroken(line: Buffer, error: JsonFault): void {
    const fault = { line: this.#line, error };
    const several = error.code === 'syntax' ? this.#several(line) : undefined;
    if (several === undefined && error.code === 'syntax' && this.#torn.hold(line, fault)) return;
    this.#values.push(...this.#torn.giveUp());
    if (several !== undefined) for (const value of several) this.#values.push(value);
    // Behind lines that belong to no value this one may begin one.
    else if (error.code !== 'syntax' || !this.#torn.hold(line, fault)) this.#values.push(fault);
  }

  #parse(line: Buffer, isValid: boolean): JsonValue {
    return isValid
      ? parseUtf8(line, this.#byteOffset, this.#options)
      : parseJson(line, this.#byteOffset, this.#options);
  }

  /** The values of a line that is no single value; nothing if one of them is broken, and so the line. */
  #several(line: Buffer): readonly LocatedJson[] | undefined {
    const scanner = new JsonValuesScanner(this.#options, { byteOffset: this.#byteOffset, line: this.#line });
    const values = [...scanner.push(line), ...scanner.end()];
    return values.every(({ error }) => error === undefined) ? values : undefined;
  }
}

function isBlank(line: Buffer): boolean {
  let at = 0;
  while (isSpace(line[at])) at += 1;
  return at === line.length;
}

/** Lines of one value that are held: a text of a chat has fewer. */
const linesMax = 64;
const bytesMax = 256 * 1024;

const carriageReturn = 0x0d;
const escapedLineFeed = Buffer.from('\\n');

/**
 * Lines that may be one value together: some exporters write the line breaks of a text as they are, and the line then ends inside a string.
 *
 * Memory: 64 lines, 256 KiB.
 */
class TornLines {
  #joined = Buffer.alloc(0);
  #count = 0;
  /** Fault of each line by itself. */
  #faults: LocatedJson[] = [];

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Number of the line on which the value begins. */
  get line(): number {
    return this.#faults[0]!.line;
  }

  /** The lines so far and this one, with the line breaks between them written as JSON has them. */
  with(line: Uint8Array): Buffer {
    return this.#count === 0 ? asBuffer(line) : Buffer.concat([this.#joined, escapedLineFeed, line]);
  }

  /** Holds a line that is broken or blank, if the text may go on behind it. @param fault What the line is by itself; none for a blank one. */
  hold(line: Uint8Array, fault: LocatedJson | undefined): boolean {
    const joined = this.with(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line);
    if (this.#count >= linesMax || joined.length > bytesMax || !endsInString(joined)) return false;
    // The chunk is its owner's.
    this.#joined = Buffer.from(joined);
    this.#count += 1;
    if (fault) this.#faults.push(fault);
    return true;
  }

  /** Returns the lines one by one if they do not form a value together. */
  giveUp(): readonly LocatedJson[] {
    const faults = this.#faults;
    this.#joined = Buffer.alloc(0);
    this.#count = 0;
    this.#faults = [];
    return faults;
  }
}

function endsInString(bytes: Buffer): boolean {
  const fault = findJsonFault(bytes);
  return fault?.byteOffset === bytes.length && fault.reason.startsWith('expected the end of a string');
}
