import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import { formatCount } from '../../../lib/text/count.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';

/** Problems of one kind that a file shows one by one; the others are only counted. */
const shownMax = 20;

/**
 * Problems of rows, each with the byte at which its row begins: for who has to look into a file of one line. Only where there are some is
 * the file gone through for it, once, behind everything else.
 *
 *     notes.add('stream-rule-id', 'user: expected "id"', { path, pointer: '/12' });
 *     yield await notes.end(input, path); // 'user: expected "id" (byte 4711)'
 *
 * Rows are lines, or elements of the array that is the whole file.
 */
export class LocatedNotes {
  readonly #counts = new Map<string, number>();
  readonly #held: { readonly code: string; readonly reason: string; readonly location: Location }[] = [];

  add(code: string, reason: string, location: Location): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= shownMax) this.#held.push({ code, reason, location });
  }

  async end(input: ExportInput, path: string): Promise<readonly Entry[]> {
    const rows = this.#held.map(({ location }) => rowNumber(location)).filter((row) => row !== undefined);
    const isLines = this.#held.some(({ location }) => location.line !== undefined);
    const offsets =
      rows.length === 0 ? new Map<number, number>() : await findOffsets(input, path, new Set(rows), isLines);
    const entries = this.#held.map(({ code, reason, location }): Entry => {
      const offset = offsets.get(rowNumber(location) ?? -1);
      return { type: 'problem', code, reason: offset === undefined ? reason : `${reason} (byte ${offset})`, location };
    });
    for (const [code, count] of this.#counts) {
      if (count <= shownMax) continue;
      const reason = `${formatCount(count - shownMax)} more rows of this file have this problem`;
      entries.push({ type: 'problem', code, reason, location: { path }, count: count - shownMax });
    }
    return entries;
  }
}

/** From 0: of a line, or of an element `/12`. */
function rowNumber({ line, pointer }: Location): number | undefined {
  if (line !== undefined) return line - 1;
  const index = /^\/(\d+)/.exec(pointer ?? '')?.[1];
  return index === undefined ? undefined : Number(index);
}

async function findOffsets(
  input: ExportInput,
  path: string,
  rows: ReadonlySet<number>,
  isLines: boolean,
): Promise<ReadonlyMap<number, number>> {
  const scanner = isLines ? new LineStarts(rows) : new ElementStarts(rows);
  try {
    for await (const chunk of input.open(path)) {
      scanner.push(chunk);
      if (scanner.found.size === rows.size) break;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return scanner.found;
}

const lineFeed = 0x0a;
const quote = 0x22;
const backslash = 0x5c;

class LineStarts {
  readonly found = new Map<number, number>();
  readonly #rows: ReadonlySet<number>;
  #line = 0;
  #offset = 0;

  constructor(rows: ReadonlySet<number>) {
    this.#rows = rows;
    if (rows.has(0)) this.found.set(0, 0);
  }

  push(chunk: Uint8Array): void {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
      this.#line += 1;
      if (this.#rows.has(this.#line)) this.found.set(this.#line, this.#offset + at + 1);
    }
    this.#offset += chunk.length;
  }
}

/** Finds the start of each value of an array, by its brackets, quotes and commas. */
class ElementStarts {
  readonly found = new Map<number, number>();
  readonly #rows: ReadonlySet<number>;
  #index = 0;
  #offset = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isBefore = true;

  constructor(rows: ReadonlySet<number>) {
    this.#rows = rows;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) this.#step(chunk[at]!, this.#offset + at);
    this.#offset += chunk.length;
  }

  #step(byte: number, offset: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return;
    }
    if (byte <= 0x20) return;
    if (this.#depth === 1 && byte === 0x2c) {
      this.#index += 1;
      this.#isBefore = true;
      return;
    }
    if (this.#depth === 1 && this.#isBefore && byte !== 0x5d) {
      this.#isBefore = false;
      if (this.#rows.has(this.#index)) this.found.set(this.#index, offset);
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
  }
}
