/** Notes of a column in the text of its CREATE TABLE. */
export interface ColumnNotes {
  /** The words that a CHECK allows. */
  words?: readonly string[];
  comment?: string;
}

/** Characters that are looked at: a table of a thousand columns has some 100 KB, and notes are short. */
const lengthMax = 128 * 1024;

const tokens = /'(?:[^']|'')*'|["`[][^"`\]]*["`\]]|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}\p{N}_$]+|\n|\S/gu;
/** `CHECK (type IN ('a', 'b'))`; as pg_dump writes it, `CHECK (((type)::text = ANY (ARRAY['a'::text, 'b'::text])))`. */
const checks =
  /\bCHECK\s*\(+\s*["`[]?([\p{L}\p{N}_$]+)["`\]]?\)?(?:::\w+(?: \w+)*)?\s*(?:IN\s*\(|=\s*ANY\s*\(+\s*ARRAY\s*\[)\s*((?:(?:_\w+)?'(?:[^']|'')*'(?:::\w+(?: \w+)*)?\s*,?\s*)+)/giu;

/**
 * Returns the notes by the name of their column in lower case. A comment belongs to the column on its line; one that has the line for itself, to
 * the next column.
 */
export function readColumnNotes(text: string): ReadonlyMap<string, ColumnNotes> {
  const sql = text.slice(0, lengthMax);
  const notes = new Map<string, ColumnNotes>();
  const note = (column: string, found: ColumnNotes) => notes.set(column, { ...notes.get(column), ...found });
  let [depth, column, waiting] = [0, '', ''];
  let [isStart, isOwnLine] = [false, true];
  for (const [token] of sql.matchAll(tokens)) {
    const comment = /^(?:--|\/\*(?![!+]))\s*([\s\S]*?)\s*(?:\*\/)?$/.exec(token)?.[1];
    if (token === '\n') isOwnLine = true;
    else if (comment !== undefined && isOwnLine) waiting = comment;
    else if (comment !== undefined) note(column, { comment });
    else {
      if (token === '(' && ++depth === 1) isStart = true;
      else if (token === ')') depth -= 1;
      else if (token === ',' && depth === 1) isStart = true;
      else if (isStart && depth === 1) {
        column = token.replace(/^["`[](.*)["`\]]$/s, '$1').toLowerCase();
        if (waiting !== '') note(column, { comment: waiting });
        [isStart, waiting] = [false, ''];
      }
      isOwnLine = false;
    }
  }
  for (const [, name, list] of sql.matchAll(checks))
    note(name!.toLowerCase(), {
      words: [...list!.matchAll(/'((?:[^']|'')*)'/g)].map(([, word]) => word!.replaceAll("''", "'")),
    });
  return notes;
}
