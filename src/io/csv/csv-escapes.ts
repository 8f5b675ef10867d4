import { formatCount } from '../../lib/text/count.ts';
import type { CsvDialect } from './csv-dialect.ts';

/** Signs of how a table escapes characters that would end a field. Its beginning shows them; a person decides. */
export interface FoundEscapes {
  /** A backslash before a quote inside a quoted field. */
  readonly quotes: string | undefined;
  /** `\n`, `\t`, `\\` and `\N` in fields that are never quoted. */
  readonly sequences: string | undefined;
}

/** `\b \f \n \r \t \v \\ \N`, octal and hexadecimal: COPY of PostgreSQL; `\0` too: mysql --batch. */
const sequence = /\\(?:([bfnrtv\\0])|x([\da-fA-F]{1,2})|([0-7]{1,3}))/g;
const controls = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' };
const letters: Readonly<Record<string, string>> = { ...controls, '\\': '\\' };

/** A field as it was before it was written; `\N` stays, it stands for no value. */
export const unescaped = (field: string): string =>
  field.includes('\\') && field !== '\\N'
    ? field.replaceAll(sequence, (_, letter?: string, hex?: string, octal?: string) =>
        letter === undefined
          ? String.fromCharCode(Number.parseInt((hex ?? octal)!, hex === undefined ? 8 : 16))
          : letters[letter]!,
      )
    : field;

/**
 * Describes what the beginning of a table shows of backslashes; undefined if it shows nothing.
 *
 * Before quotes: if a quoted field continues after a quote with a backslash before it. As sequences: in rows with tabs
 * that quote nothing, if each backslash begins a sequence, and some of them are not ones that people type.
 */
export const findEscapes = (head: string): FoundEscapes => ({
  quotes: backslashedQuotes(head),
  sequences: head.includes('\t') ? backslashed(head) : undefined,
});

/** Characters that may follow a field. */
const ends = new Set([',', ';', '\t', '|', '\r', '\n', '']);

function backslashedQuotes(head: string): string | undefined {
  let count = 0;
  // A path such as "C:\" ends a field.
  for (const { index } of head.matchAll(/\\"/g)) if (!ends.has(head[index + 2] ?? '')) count += 1;
  const doubled = head.match(/[^,;|\t\r\n\\]""[^,;|\t\r\n]/g)?.length ?? 0;
  return count > doubled ? `${formatCount(count)} times a quote with a backslash before it inside a field` : undefined;
}

function backslashed(table: string): string | undefined {
  const head = table.replace(/^\\\.\r?$/m, '');
  // A field of COPY may begin with a quote; one that ends with it as well is quoted.
  if (/(?:^|[\t\n])"[^\t\n]*"(?=[\t\r\n]|$)/.test(head)) return undefined;
  const all = head.match(/\\/g)?.length ?? 0;
  const sequences = head.match(/\\(?:[bfnrtv\\0]|x[\da-fA-F]{1,2}|[0-7]{1,3}|N(?=[\t\r\n]|$))/g) ?? [];
  const characters = sequences.reduce((sum, found) => sum + (found === '\\\\' ? 2 : 1), 0);
  // A lone \N stands for no value, whatever else holds.
  const isSure = sequences.some((found) => ['\\\\', '\\n', '\\t', '\\r'].includes(found));
  if (!isSure || characters < all) return undefined;
  const kinds = [...new Set(sequences)].slice(0, 4).join(' ');
  return `${formatCount(sequences.length)} times ${kinds}, and no other backslash`;
}

/** The line with which COPY says that its rows end. */
export const isEndOfCopy = (cells: readonly string[], { sequences }: Pick<CsvDialect, 'sequences'>): boolean =>
  sequences === true && cells.length === 1 && cells[0] === '\\.';
