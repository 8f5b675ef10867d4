import type { ColumnNotes } from '../../column-notes.ts';
import type { Dialect } from '../dialect.ts';
import type { Catalogue, ScannedColumn, ScannedTable } from './catalogue.ts';
import { nameText, type Place, takeColumns, takeName } from './names.ts';
import { type Token, TokenCursor } from './tokens.ts';

/** Where and in whose words a statement is read. */
export interface StatementContext {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly place: Place;
  /** Notes of the columns that a CREATE TABLE makes, by names in lower case. */
  readonly notes: ReadonlyMap<string, ColumnNotes>;
}

/** The piece of CREATE TABLE between two commas: a column, or a key. */
export function readPiece(table: ScannedTable, piece: readonly Token[], context: StatementContext): void {
  const tokens = TokenCursor.of(piece);
  if (beginsConstraint(piece, context.dialect)) readConstraint(table, tokens, context);
  else if (piece.length > 0) readColumn(table, tokens, context);
}

const alwaysConstraint = ['CONSTRAINT', 'PRIMARY', 'FOREIGN', 'UNIQUE', 'CHECK', 'LIKE'];
/** Names of columns in other dialects. */
const mysqlConstraint = ['KEY', 'INDEX', 'FULLTEXT', 'SPATIAL', 'PERIOD'];

function beginsConstraint([first, second]: readonly Token[], dialect: Dialect): boolean {
  if (first?.kind !== 'word') return false;
  const word = first.text.toUpperCase();
  if (word === 'EXCLUDE') return second?.text.toUpperCase() === 'USING';
  return alwaysConstraint.includes(word) || (dialect === 'mysql' && mysqlConstraint.includes(word));
}

/** `[CONSTRAINT name] PRIMARY KEY (…)`, `… FOREIGN KEY (…) REFERENCES table (…)`; others say nothing that is needed. */
export function readConstraint(table: ScannedTable, tokens: TokenCursor, context: StatementContext): void {
  if (tokens.accept('CONSTRAINT') && !tokens.is('PRIMARY', 'FOREIGN', 'UNIQUE', 'CHECK')) tokens.take();
  if (tokens.acceptAll('PRIMARY KEY')) {
    while (!tokens.is('(') && !tokens.isAtEnd) tokens.take();
    table.primaryKey = takeColumns(tokens, context.dialect);
  } else if (tokens.acceptAll('FOREIGN KEY')) {
    while (!tokens.is('(') && !tokens.isAtEnd) tokens.take();
    readReference(table, takeColumns(tokens, context.dialect), tokens, context);
  }
}

function readReference(
  table: ScannedTable,
  columns: readonly string[],
  tokens: TokenCursor,
  { dialect, place }: StatementContext,
): void {
  if (!tokens.accept('REFERENCES')) return;
  const target = takeName(tokens, dialect, { ...place, database: table.name.database });
  if (target) table.addKey(columns, target, takeColumns(tokens, dialect));
}

/** Words after a type. */
const typeEnds = [
  ...['NOT', 'NULL', 'DEFAULT', 'PRIMARY', 'UNIQUE', 'CHECK', 'REFERENCES', 'CONSTRAINT', 'GENERATED', 'AS', 'COLLATE'],
  ...['AUTO_INCREMENT', 'AUTOINCREMENT', 'COMMENT', 'ON', 'CHARSET', 'KEY', 'VISIBLE', 'INVISIBLE', 'STORAGE', 'SRID'],
];

function readColumn(table: ScannedTable, tokens: TokenCursor, context: StatementContext): void {
  const name = nameText(tokens.take(), context.dialect);
  const column = { name, ...readType(tokens, context), ...context.notes.get(name.toLowerCase()) };
  const rules = readColumnRules(table, name, tokens, context);
  const index = table.columns.findIndex((other) => other.name === name);
  table.columns.splice(index < 0 ? table.columns.length : index, index < 0 ? 0 : 1, { ...column, ...rules });
}

/** Without its length: `character varying`, `timestamp without time zone`, `text[]`, `enum` with its words. */
function readType(tokens: TokenCursor, context: StatementContext): Pick<ScannedColumn, 'type' | 'words'> {
  const { catalogue, dialect, place } = context;
  const pieces: string[] = [];
  let words: readonly string[] | undefined;
  while (!tokens.isAtEnd && !tokens.is(...typeEnds)) {
    if (tokens.is('(')) {
      const inside = tokens.list();
      if (/^(?:enum|set)$/i.test(pieces[0] ?? '')) words = inside.map(([token]) => token?.text ?? '');
    } else if (tokens.accept('[')) {
      pieces.push(`${pieces.pop() ?? ''}[]`);
      while (!tokens.accept(']') && !tokens.isAtEnd) tokens.take();
    } else {
      const type = takeName(tokens, dialect, place);
      if (type === undefined) break;
      if (type.table.toUpperCase() === 'CHARACTER' && tokens.is('SET')) break;
      pieces.push(
        ['', 'public', 'pg_catalog', place.schema].includes(type.schema) ? type.table : `${type.schema}.${type.table}`,
      );
      words ??= catalogue.wordsOf(type);
    }
  }
  return { type: pieces.join(' ').toLowerCase(), ...(words && { words }) };
}

/**
 * Reads what follows the type: whether the column is computed, and its comment.
 */
function readColumnRules(
  table: ScannedTable,
  name: string,
  tokens: TokenCursor,
  context: StatementContext,
): Pick<ScannedColumn, 'isGenerated' | 'comment'> {
  let isGenerated = false;
  let comment: string | undefined;
  while (!tokens.isAtEnd) {
    if (tokens.is('(')) tokens.list();
    else if (tokens.is('REFERENCES')) readReference(table, [name], tokens, context);
    else if (tokens.accept('PRIMARY')) table.primaryKey = [name];
    // GENERATED ALWAYS AS IDENTITY is a default; AS (…) a computed value.
    else if (tokens.accept('AS')) isGenerated ||= tokens.is('(');
    else if (tokens.accept('COMMENT')) comment = tokens.take().text;
    else tokens.take();
  }
  return { isGenerated, ...(comment !== undefined && { comment }) };
}
