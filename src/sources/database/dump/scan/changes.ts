import type { ScannedTable } from './catalogue.ts';
import { takeName } from './names.ts';
import type { DumpState } from './statements.ts';
import type { TokenCursor } from './tokens.ts';

/** Statements of one table that are named each; the last one stands for those behind it. */
const namedMax = 1000;

/** Words between the first of a statement and the name of its table: `INSERT LOW_PRIORITY IGNORE INTO`, `DELETE FROM ONLY`, `UPDATE OR FAIL`. */
const between = new Set([
  ...['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK', 'IGNORE', 'OR', 'ROLLBACK', 'ABORT', 'REPLACE', 'FAIL'],
  ...['INTO', 'FROM', 'ONLY', 'TABLE', 'IF', 'EXISTS'],
]);

/** Whether it would change rows, or what they are called, by first word. */
const changing: Readonly<Record<string, (tokens: TokenCursor, table: ScannedTable) => boolean>> = {
  INSERT: () => true,
  REPLACE: () => true,
  MERGE: () => true,
  LOAD: () => true,
  COPY: (tokens) => has(tokens, 'FROM'),
  // A table that is emptied before anything is written to it stays as it is: some programs begin so.
  UPDATE: (_tokens, { allRows }) => allRows > 0,
  DELETE: (_tokens, { allRows }) => allRows > 0,
  TRUNCATE: (_tokens, { allRows }) => allRows > 0,
  RENAME: () => true,
  ALTER: (tokens) => has(tokens, 'RENAME', 'CHANGE', 'DROP COLUMN', 'ADD COLUMN'),
};

/** Statements that hold others: `WITH gone AS (DELETE FROM t …) SELECT`, `DO $$ BEGIN INSERT INTO t … END $$`. */
const holding = new Set(['WITH', 'DO']);

/**
 * Remembers a statement that puts rows into a known table, changes them or takes them away, and is not read.
 *
 * @param text The statement, from its first word on.
 */
export function noteUnread(tokens: TokenCursor, line: number, state: DumpState): void {
  const word = tokens.take().text.toUpperCase();
  if (!holding.has(word)) noteChange(word, tokens, line, state);
  while (holding.has(word) && !tokens.isAtEnd) {
    const { kind, text } = tokens.take();
    const inner = text.toUpperCase();
    if (kind === 'word' && ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(inner))
      noteChange(inner, tokens, line, state);
  }
}

function noteChange(word: string, tokens: TokenCursor, line: number, { catalogue, dialect, place }: DumpState): void {
  const isChanging = Object.hasOwn(changing, word) ? changing[word]! : undefined;
  if (!isChanging) return;
  // LOAD DATA INFILE 'x' INTO TABLE t
  if (word === 'LOAD') while (!tokens.isAtEnd && !tokens.is('INTO')) tokens.take();
  while (tokens.next.kind === 'word' && between.has(tokens.next.text.toUpperCase())) tokens.take();
  const name = takeName(tokens, dialect, place);
  const table = name && catalogue.find(name);
  if (!table || !isChanging(tokens, table)) return;
  table.unreadCount += 1;
  if (table.unread.length < namedMax) table.unread.push({ word, line });
}

/** Whether one of these, of one or two words, is in the rest of the statement. */
function has(tokens: TokenCursor, ...texts: readonly string[]): boolean {
  for (let before = ''; !tokens.isAtEnd; ) {
    const { kind, text } = tokens.take();
    const word = kind === 'word' ? text.toUpperCase() : '';
    if (texts.includes(word) || texts.includes(`${before} ${word}`)) return true;
    before = word;
  }
  return false;
}
