import { readColumnNotes } from '../../column-notes.ts';
import type { Dialect, DumpSettings } from '../dialect.ts';
import type { Catalogue, ScannedTable } from './catalogue.ts';
import { readConstraint, readPiece, type StatementContext } from './create-table.ts';
import { nameText, type Place, takeName } from './names.ts';
import { TokenCursor } from './tokens.ts';

/** State of a dump so far: its tables, and the effects of its SET and USE statements. */
export interface DumpState {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  place: Place;
  settings: DumpSettings;
  /** Whether its last statement was there: COMMIT of SQLite. */
  isComplete: boolean;
  /** Whether SQLite met damage when it made the dump. */
  isDamaged: boolean;
}

/** @param text The whole statement. */
type Handler = (tokens: TokenCursor, state: DumpState, text: () => string) => void;

/** Handlers by first word. Other statements change nothing that is read; nothing is ever run. */
const handlers: Readonly<Record<string, Handler>> = {
  CREATE: readCreate,
  COMMENT: readComment,
  ALTER: readAlter,
  DROP: readDrop,
  SET: readSet,
  USE: (tokens, state) => useDatabase(tokens.take().text, state),
  COMMIT: (_tokens, state) => {
    state.isComplete = true;
  },
  ROLLBACK: (_tokens, state) => {
    state.isComplete = true;
    state.isDamaged = true;
  },
};

export function readStatement(tokens: TokenCursor, state: DumpState, statementText: () => string): void {
  const { kind, text } = tokens.take();
  const word = text.toUpperCase();
  if (kind === 'word' && Object.hasOwn(handlers, word)) handlers[word]!(tokens, state, statementText);
}

export function useDatabase(database: string, state: DumpState): void {
  const schema = state.dialect === 'postgres' ? 'public' : '';
  state.place = { database, schema };
}

function readCreate(tokens: TokenCursor, state: DumpState, text: () => string): void {
  if (tokens.accept('TYPE')) readType(tokens, state);
  else if (tokens.accept('TABLE', 'UNLOGGED', 'FOREIGN')) readTable(tokens, state, text);
  else if (!tokens.is('TEMPORARY', 'TEMP')) readView(tokens, state);
}

function readType(tokens: TokenCursor, { catalogue, dialect, place }: DumpState): void {
  const name = takeName(tokens, dialect, place);
  if (name && tokens.acceptAll('AS ENUM'))
    catalogue.addEnum(
      name,
      tokens.list().map(([token]) => token?.text ?? ''),
    );
}

/** Drops the table of a view. mysqldump and phpMyAdmin write a table in place of a later view, so that other views find its columns. */
function readView(tokens: TokenCursor, { catalogue, dialect, place }: DumpState): void {
  // CREATE OR REPLACE ALGORITHM=UNDEFINED DEFINER=`a`@`b` SQL SECURITY DEFINER VIEW; a routine may speak of a view.
  while (!tokens.isAtEnd && !tokens.is('VIEW', ...routines)) tokens.take();
  if (!tokens.accept('VIEW')) return;
  tokens.acceptAll('IF NOT EXISTS');
  const name = takeName(tokens, dialect, place);
  if (name) catalogue.drop(name);
}

const routines = ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT', 'RULE', 'INDEX'];

/** Columns and keys of one table. MySQL allows 4,096 columns, the others fewer. */
const piecesMax = 5000;

function readTable(tokens: TokenCursor, state: DumpState, text: () => string): void {
  const { catalogue, dialect, place } = state;
  tokens.accept('TABLE');
  tokens.acceptAll('IF NOT EXISTS');
  const name = takeName(tokens, dialect, place);
  if (!name) return;
  const table = catalogue.obtain(name);
  if (table.columns.length > 0) return;
  const context = { ...statementContext(state, name.schema), notes: readColumnNotes(text()) };
  if (tokens.acceptAll('PARTITION OF')) {
    attach(takeName(tokens, dialect, place), table, catalogue);
    return;
  }
  const pieces = tokens.list();
  inheritColumns(table, tokens, state);
  for (const piece of pieces.slice(0, piecesMax)) readPiece(table, piece, context);
}

const statementContext = ({ catalogue, dialect, place }: DumpState, schema: string): StatementContext => ({
  catalogue,
  dialect,
  place: { ...place, schema },
  notes: new Map(),
});

/** Reads `) INHERITS (parent)`: the parent's columns are given only there, and the rows of this table are rows of the parent too. */
function inheritColumns(table: ScannedTable, tokens: TokenCursor, { catalogue, dialect, place }: DumpState): void {
  if (dialect !== 'postgres' || !tokens.accept('INHERITS')) return;
  for (const piece of tokens.list()) {
    const name = takeName(TokenCursor.of(piece), dialect, place);
    const parent = name && catalogue.find(name);
    if (!parent) continue;
    table.columns.push(...parent.columns);
    parent.children.push(table);
  }
}

function attach(parentName: ReturnType<typeof takeName>, child: ScannedTable, catalogue: Catalogue): void {
  const parent = parentName && catalogue.find(parentName);
  if (!parent || child.isPartition) return;
  child.isPartition = true;
  if (child.columns.length === 0) child.columns.push(...parent.columns);
  parent.children.push(child);
}

function readAlter(tokens: TokenCursor, state: DumpState): void {
  const { catalogue, dialect, place } = state;
  if (!tokens.accept('TABLE')) return;
  tokens.acceptAll('IF EXISTS');
  tokens.accept('ONLY');
  const name = takeName(tokens, dialect, place);
  const table = name && catalogue.find(name);
  if (!table) return;
  if (tokens.acceptAll('ATTACH PARTITION')) {
    const child = takeName(tokens, dialect, place);
    if (child) attach(table.name, catalogue.obtain(child), catalogue);
    return;
  }
  // phpMyAdmin adds several keys at once.
  while (!tokens.isAtEnd) {
    if (tokens.is('(')) tokens.list();
    else if (!tokens.accept('ADD')) tokens.take();
    else if (tokens.is('CONSTRAINT', 'PRIMARY', 'FOREIGN'))
      readConstraint(table, tokens, statementContext(state, table.name.schema));
  }
}

/** `COMMENT ON COLUMN public.messages.kind IS '0: text, 1: image'` */
function readComment(tokens: TokenCursor, { catalogue, dialect, place }: DumpState): void {
  if (!tokens.acceptAll('ON COLUMN')) return;
  const names: string[] = [];
  do names.push(nameText(tokens.take(), dialect));
  while (tokens.accept('.'));
  const [column, table = '', schema = place.schema] = names.toReversed();
  const columns = catalogue.find({ ...place, schema, table })?.columns ?? [];
  const index = columns.findIndex(({ name }) => name === column);
  if (index >= 0 && tokens.accept('IS') && tokens.next.kind === 'string')
    columns[index] = { ...columns[index]!, comment: tokens.take().text };
}

function readDrop(tokens: TokenCursor, { catalogue, dialect, place }: DumpState): void {
  if (!tokens.accept('TABLE')) return;
  tokens.acceptAll('IF EXISTS');
  do {
    const name = takeName(tokens, dialect, place);
    if (name) catalogue.drop(name);
  } while (tokens.accept(','));
}

function readSet(tokens: TokenCursor, state: DumpState): void {
  if (tokens.accept('NAMES')) {
    setting(state, { charset: tokens.take().text });
    return;
  }
  while (!tokens.isAtEnd) {
    tokens.accept('SESSION', 'LOCAL', 'GLOBAL');
    const name = takeVariable(tokens);
    if (!tokens.accept('=', 'TO')) return;
    const values: string[] = [];
    while (!tokens.isAtEnd && !tokens.is(',', ';')) values.push(tokens.take().text);
    assign(name, values.join(''), state);
    tokens.accept(',');
  }
}

/** `TIME_ZONE`, `@OLD_TIME_ZONE`, `@@session.time_zone`. */
function takeVariable(tokens: TokenCursor): string {
  let name = '';
  while (!tokens.isAtEnd && !tokens.is('=', 'TO', ',')) name += tokens.take().text;
  return name.toLowerCase().replace(/^@@(?:session\.)?/, '');
}

function assign(name: string, value: string, state: DumpState): void {
  if (name === 'client_encoding') setting(state, { charset: value });
  else if (name === 'standard_conforming_strings') setting(state, { isEscaping: /^(?:off|false|0)$/i.test(value) });
  else if (name === 'time_zone' && state.dialect === 'mysql') {
    setting(state, { zone: /^[+-]\d\d:\d\d$/.test(value) ? value : '' });
  } else if (name === 'sql_mode') setting(state, { isEscaping: !/NO_BACKSLASH_ESCAPES/i.test(value) });
  else if (name === 'search_path') state.place = { ...state.place, schema: value || 'public' };
}

/** Keeps the same object if nothing changes: data of one form is identified by it. */
function setting(state: DumpState, change: Partial<DumpSettings>): void {
  const next = { ...state.settings, ...change };
  if (JSON.stringify(next) !== JSON.stringify(state.settings)) state.settings = next;
}
