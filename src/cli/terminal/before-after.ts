import { describeParts } from '../../rows/parts.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import { displayWidth, truncate, visibleLine } from '../../lib/text/plain-text.ts';

/** Lines that a row of a wide table takes at most. */
const rowLinesMax = 6;

const labelWidth = 16;

/** Describes a row, and below it the message that it becomes. No line is wider than `columns`. */
export function describeBeforeAfter(shown: BeforeAfter, columns: number): string[] {
  const width = Math.max(40, columns) - labelWidth;
  const before = labelled('row', rowLines(shown.row, width));
  const after = describeParts(shown).map(([label, text]) => labelled(label, [truncate(text, width)])[0]!);
  return [truncate(visibleLine(shown.place), columns), ...before, ...after];
}

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(labelWidth - 2)}${line}`);

/** Returns the columns that have a value, as many on a line as fit; then the names of the empty ones. */
function rowLines(row: BeforeAfter['row'], width: number): string[] {
  const filled = row.filter(([, value]) => value !== '');
  const empty = row.filter(([, value]) => value === '').map(([column]) => visibleLine(column));
  const pairs = filled.map(([column, value]) => truncate(visibleLine(`${column}: ${value}`), width));
  const lines: string[] = [];
  for (const [index, pair] of pairs.entries()) {
    const joined = `${lines.at(-1) ?? ''}  ${pair}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (lines.length < rowLinesMax) lines.push(pair);
    else return [...lines, `and ${pairs.length - index} more`];
  }
  return empty.length === 0 ? lines : [...lines, truncate(`empty: ${empty.join(', ')}`, width)];
}
