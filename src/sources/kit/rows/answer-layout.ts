import type { ExportInput } from '../../../io/input/export-input.ts';
import { headBytes, decideByOutline, type FileOutline } from './whole-outline.ts';
import type { JsonRowsAt } from './json-rows.ts';
import { areLines } from './row-places.ts';

/** Contents of a saved answer of an API. */
export interface AnswerLayout<Kind extends string> {
  /** Kinds of rows that were seen in it; `messages` is enough to make it a file of rows. */
  readonly kinds: ReadonlySet<Kind | 'messages'>;
  readonly at: JsonRowsAt;
}

/** How rows of a service are recognised. */
export interface AnswerRows<Kind extends string> {
  /** Lists by their key at the top of an answer: `{ participants: 'members' }`. */
  readonly lists: Readonly<Record<string, Kind | 'messages'>>;
  /** A key around lists as answers are documented: next to it there are no messages. */
  readonly around?: string;
  /** Kind of an object by its keys, for rows in a list without a name. */
  kindOf(has: (key: string) => boolean): Kind | 'messages' | undefined;
}

/**
 * Finds the rows in a file of saved answers: one answer, a list of rows, a list of answers, or a row or answer on each line.
 * A file that cannot be read at all may have contained messages.
 *
 * @returns undefined if the file holds no rows of the service.
 */
export const findAnswerLayout = <Kind extends string>(
  input: ExportInput,
  path: string,
  rows: AnswerRows<Kind>,
): Promise<AnswerLayout<Kind> | undefined> => decideByOutline(input, path, headBytes, (file) => layoutIn(file, rows));

function layoutIn<Kind extends string>(file: FileOutline, rows: AnswerRows<Kind>): AnswerLayout<Kind> | undefined {
  const { head, outline, isWhole } = file;
  if (head === '') return { kinds: new Set(['messages']), at: { layout: 'lines' } };
  if (!/^[[{]/.test(head)) return undefined;
  const kinds = new Set<Kind | 'messages'>();
  const lists: (readonly string[])[] = [];
  for (const [place, keys] of outline) {
    const parts = place.split('/').slice(1);
    // An object in a field of a row is a part of it.
    if (parts.length > 0 && parts.at(-1) !== '*') continue;
    const kind = rows.kindOf((key) => keys.has(key));
    if (kind === undefined) continue;
    kinds.add(kind);
    lists.push(parts);
  }
  // A list that is empty is in no outline.
  for (const [key, kind] of Object.entries(rows.lists)) {
    if (!outline.get('')?.has(key) || !file.holdsList(key)) continue;
    kinds.add(kind);
    lists.push([key, '*']);
  }
  if (lists.length === 0 || (!isWhole && !kinds.has('messages'))) return undefined;
  const around = findOutermost(lists).slice(0, -2);
  // Only a part of such a file is read, and the rest may have messages.
  if (around.length > 0 && !isWhole && rows.around !== around[0]) return undefined;
  return { kinds, at: rowsAt(head, lists, Object.keys(rows.lists)) };
}

const findOutermost = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.toSorted((a, b) => a.length - b.length)[0] ?? [];

/** The outermost lists, which differ in their last key only: those inside are parts of a row. */
function rowsAt(head: string, lists: readonly (readonly string[])[], named: readonly string[]): JsonRowsAt {
  const outermost = findOutermost(lists);
  const isList = head.startsWith('[');
  if (outermost.length === 0) return isList ? { layout: 'list', pattern: [] } : { layout: recogniseLines(head) };
  const pattern = [...outermost.slice(0, -2), '*'];
  if (!isList && areLines(head)) {
    const keys = [...named, ...lists.map((parts) => parts.at(-2) ?? '')];
    return { layout: 'lists-on-lines', pattern, ...(pattern.length === 1 && { keys }) };
  }
  return { layout: 'list', pattern: isList ? ['*', ...pattern] : pattern };
}

/** One row on each line; a row that has line feeds inside is a value among others. */
function recogniseLines(head: string): 'lines' | 'values' {
  const line = head.slice(0, head.indexOf('\n') + 1 || undefined);
  return /\}\s*$/.test(line) && line.trim() !== '{' ? 'lines' : 'values';
}
