import { table } from './markdown.ts';
import type { MarkdownOutput } from './html-output.ts';

/** A table that is open: cells are written by themselves, and joined at its end. */
export interface OpenTable {
  /** Output around the table. */
  readonly outer: MarkdownOutput;
  readonly rows: string[][];
  /** The cell at hand. */
  cell:
    | { readonly output: MarkdownOutput; readonly openLength: number; readonly openCounts: Map<string, number> }
    | undefined;
}

/** Tables inside each other that show as tables; deeper ones are lines. */
export const tableDepthMax = 8;

/**
 * A table as Markdown. One column, or code in a cell, is no table that Markdown can show: then each cell has lines of its own.
 *
 * @param isInCell In a cell of another table, which has one line: cells are apart by bars.
 */
export function tableText(rows: readonly (readonly string[])[], isInCell: boolean): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  if (filled.length === 0) return '';
  if (filled.every((row) => row.length === 1)) return filled.map(([cell]) => cell).join('\n');
  if (filled.some((row) => row.some((cell) => /^ *(?:> )*```/m.test(cell))))
    return filled.map((row) => row.filter((cell) => cell !== '').join('\n\n')).join('\n\n');
  return isInCell ? filled.map((row) => row.join(' | ')).join('\n') : table(filled);
}
