/** A cell of a table, and where its text is. */
export interface FoundCell {
  /** 1-based line on which its row begins. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** The cells of a table whose quotes are doubled, whichever of the usual delimiters it has. */
export function cellsIn(text: string): readonly FoundCell[] {
  const delimiter = [';', '\t', '|', ','].find((one) => text.slice(0, text.search(/\n|$/)).includes(one)) ?? ',';
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^\\n\\r${delimiter === '|' ? '\\|' : delimiter}]*)(\\r?\\n|\\r|[${delimiter}]|$)`,
    'y',
  );
  const found: FoundCell[] = [];
  let [line, rowLine, column] = [1, 1, 1];
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) break;
    const [all, content, end] = match as unknown as [string, string, string];
    found.push({ line: rowLine, column, start, end: start + content.length });
    line += all.split('\n').length - 1;
    column += 1;
    if (end === delimiter) continue;
    [rowLine, column] = [line, 1];
  }
  return found;
}
