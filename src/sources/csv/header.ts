/** Names of the columns of a file. */
export interface Header {
  readonly names: readonly string[];
  /** Whether the first row holds them and is no row of the table. */
  readonly isFirstRow: boolean;
  /** What was done to make each a name of its own, as a sentence for each. */
  readonly changes: readonly string[];
}

/** Numbers, dates and times: what stands in rows, not above them. */
const isData = (cell: string) => /^[-+\d.,:/ TZ]+$/.test(cell) && /\d/.test(cell);

/**
 * The names that the first row gives: white space around them is cut off, an empty one becomes `column 3`, the second of
 * equal ones `name#2`.
 *
 * @param setting `auto`: the first row is a header unless it holds a number or a time.
 */
export function headerOf(firstRow: readonly string[], setting: boolean | 'auto'): Header {
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
