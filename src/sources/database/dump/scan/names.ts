import type { Dialect } from '../dialect.ts';
import type { TableName } from './catalogue.ts';
import type { Token, TokenCursor } from './tokens.ts';

/** Where names without a schema or database belong. */
export interface Place {
  readonly database: string;
  readonly schema: string;
}

const isNameToken = ({ kind }: Token): boolean => kind === 'word' || kind === 'name' || kind === 'string';

/** Returns the name. PostgreSQL converts names without quotes to lower case. */
export const nameText = ({ kind, text }: Token, dialect: Dialect): string =>
  kind === 'word' && dialect === 'postgres' ? text.toLowerCase() : text;

/**
 * Takes `messages`, `public.messages`, `` `app`.`messages` ``.
 *
 * @returns undefined if no name is next.
 */
export function takeName(tokens: TokenCursor, dialect: Dialect, place: Place): TableName | undefined {
  const parts: string[] = [];
  do {
    if (!isNameToken(tokens.next)) return undefined;
    parts.push(nameText(tokens.take(), dialect));
  } while (tokens.accept('.'));
  const table = parts.pop()!;
  const owner = parts.at(-1);
  if (dialect === 'postgres') return { ...place, schema: owner ?? place.schema, table };
  // SQLite's own name for the one file is "main".
  return { schema: '', database: dialect === 'mysql' && owner !== undefined ? owner : place.database, table };
}

/** Names in brackets, without what follows each: `(a, b(10) DESC)` gives a and b. */
export const takeColumns = (tokens: TokenCursor, dialect: Dialect): string[] =>
  tokens.list().flatMap(([token]) => (token && isNameToken(token) ? [nameText(token, dialect)] : []));
