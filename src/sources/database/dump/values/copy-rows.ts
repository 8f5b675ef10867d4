import type { DatabaseRow } from '../../database.ts';
import { type RowPlan, RowValues } from './row-plan.ts';
import { unescaped } from './unescaped.ts';

const tab = 9;
const backslash = 92;

/** Reads lines of COPY. */
export class CopyLine {
  /** Index after the line that was read. */
  end = 0;
  readonly #row: RowValues;

  constructor(plan: RowPlan) {
    this.#row = new RowValues(plan);
  }

  /** @param end Of the line, without its line feed. */
  read(bytes: Buffer, start: number, lineEnd: number, line: number): DatabaseRow {
    const row = this.#row;
    row.begin();
    this.end = lineEnd;
    // Inside a value it is written as \r: here it is a line end of Windows.
    const end = lineEnd > start && bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd;
    let from = start;
    let hasEscapes = false;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === tab) {
        if (row.isWanted) this.#cell(bytes, from, at, hasEscapes);
        row.cell += 1;
        from = at + 1;
        hasEscapes = false;
      } else if (byte === backslash) {
        hasEscapes = true;
        at += 1;
      }
    }
    if (row.isWanted) this.#cell(bytes, from, end, hasEscapes);
    return row.end(line);
  }

  #cell(bytes: Buffer, start: number, end: number, hasEscapes: boolean): void {
    const row = this.#row;
    if (!hasEscapes) row.setBytes(bytes, start, end);
    else if (end === start + 2 && bytes[start + 1] === 78) row.set(null);
    else {
      const plain = unescaped(bytes, start, end, 0, 'copy');
      row.setBytes(plain, 0, plain.length);
    }
  }
}
