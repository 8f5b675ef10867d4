/** The names in a query's text: of its tables and columns among others. */
export interface QueryNames {
  /** In the spelling of the text. */
  readonly all: readonly string[];
  /** Whether the text uses this name for a column or table: SQL ignores case. */
  has(name: string): boolean;
  /** Whether it has `*` or `table.*`: then it reads every column of its tables. */
  readonly readsAll: boolean;
  /** The first word, in capitals: `SELECT`. */
  readonly verb: string;
}

/** Comments, texts, names in their three kinds of quotes, words, and single signs. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)|([\p{L}_$][\p{L}\p{N}_$]*)|[^\s]/gu;

export function namesInQuery(text: string): QueryNames {
  const all = new Set<string>();
  let readsAll = false;
  let verb = '';
  let before = '';
  for (const [token, quoted, backquoted, bracketed, word] of text.matchAll(tokens)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (token === '*' && /^(?:SELECT|DISTINCT|ALL|,|\.)$/i.test(before)) readsAll = true;
    const name = quoted?.replaceAll('""', '"') ?? backquoted?.replaceAll('``', '`') ?? bracketed ?? word;
    if (name !== undefined) all.add(name);
    if (verb === '') verb = token.toUpperCase();
    before = token;
  }
  const lower = new Set([...all].map((name) => name.toLowerCase()));
  return { all: [...all], has: (name) => lower.has(name.toLowerCase()), readsAll, verb };
}

/** Quotes a name for SQL, whatever characters it has. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
