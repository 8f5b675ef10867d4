import { formatCount } from '../../lib/text/count.ts';
import { isTable, keyPath } from '../../lib/settings.ts';
import type { ValueRows } from '../../model/value-rows.ts';
import type { RowsLookedAt } from '../../sources/table-source.ts';
import { type KeyWords, keyWords, type RowWords, type ValueForm, wordless } from '../key-words.ts';

/** Words for a key, and the column that it names itself. */
export interface FoundWords {
  readonly key: string;
  readonly words: KeyWords;
  /** `status` of `messages.only.status`; empty if the key names none. */
  readonly column: string;
}

export function findWords(key: string): FoundWords {
  const path = keyPath(key);
  const isOfColumn = path.length > 2 && (path[1] === 'only' || path[1] === 'skipWhen');
  const name = isOfColumn ? `${path[0]}.${path[1]}.` : key;
  const words = Object.hasOwn(keyWords, name) ? keyWords[name]! : wordless;
  return { key, words, column: isOfColumn ? path.slice(2).join('.') : '' };
}

export const sayQuestion = ({ words: { question }, column }: FoundWords): string =>
  question.replace('{column}', () => quote(column));

/** Values that are named; the others are counted. */
const namedMax = 3;
const quote = (text: string): string => JSON.stringify(text);
/** @param join Before the last: `and`; or with a comma of its own. */
const listed = (texts: readonly string[], join: string): string =>
  texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')}${join.startsWith(',') ? '' : ' '}${join} ${texts.at(-1)}`;
const quotedList = (texts: readonly string[], join: string, show = quote): string =>
  listed(
    [
      ...texts.slice(0, namedMax).map(show),
      ...(texts.length > namedMax ? [`${formatCount(texts.length - namedMax)} more`] : []),
    ],
    join,
  );

/** Says what a value of a key does: a verb first, with counts where rows were looked at. */
export function sayValue(found: FoundWords, value: unknown, rows: RowsLookedAt | undefined): string {
  const { words } = found;
  const word = wordIn(value);
  if (word !== undefined && words.words && Object.hasOwn(words.words, word)) return words.words[word]!;
  if (words.rows) {
    const sorted = saySorted(found, value, rows);
    if (sorted !== undefined) return sorted;
  }
  const form = formOf(value);
  const template = words.does[form] ?? words.does.text ?? 'Take {value}';
  const tables = tablesIn(value);
  const isAlone = form === 'query' && tables.length < 2;
  const parts: Readonly<Record<string, () => string>> = {
    value: () => (Array.isArray(value) ? quotedList(value.map(String), 'and') : quote(plainText(value))),
    columns: () => quotedList(columnsIn(value), 'and'),
    either: () => listed(partsIn(value), ', else'),
    people: () => listed(peopleIn(value), ', else'),
    tables: () => listed(tables, 'and'),
    meanings: () => sayMeanings(value, rows),
  };
  const isNarrowed = isTable(value) && /IS NOT TRUE$/.test(String(value.query));
  const how = isAlone
    ? ' by a query'
    : ` together${isNarrowed ? ', without those that are deleted for everybody' : ''}`;
  return template.replace(' together', how).replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name]!());
}

/** A value that is one word, however it is written. */
function wordIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isTable(value) && typeof value.template === 'string' ? value.template : undefined;
}

function formOf(value: unknown): ValueForm {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'list';
  if (!isTable(value)) return value === '' || value === false ? 'nothing' : 'text';
  if (isTable(value.from) && !('values' in value)) return formOf(value.from);
  if ('constant' in value) return value.constant === '' || value.constant === false ? 'nothing' : 'constant';
  if ('values' in value) return 'values';
  const named = (['template', 'first', 'between', 'direction', 'query'] as const).find((form) => form in value);
  if (named !== undefined) return named;
  return 'table' in value || 'file' in value || 'list' in value
    ? 'table'
    : Object.keys(value).length === 0
      ? 'nothing'
      : 'values';
}

const plainText = (value: unknown): string =>
  isTable(value) ? plainText(value.constant ?? value.from ?? value.template ?? '') : String(value);

function columnsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [...new Set(value.flatMap(columnsIn))];
  if (!isTable(value)) return [];
  if (typeof value.template === 'string') return [...value.template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const { direction, url, list, from, first, between } = value;
  return [...new Set([direction, url ?? list, from, first, between].flatMap(columnsIn))];
}

/** The columns of which a value takes the first, in words. */
const partsIn = (value: unknown): readonly string[] =>
  (isTable(value) && Array.isArray(value.first) ? value.first : []).map(partInWords);

function partInWords(part: unknown): string {
  if (!isTable(part)) return quote(String(part));
  if ('between' in part) return `the people ${quotedList(columnsIn(part), 'and')}`;
  if (!isTable(part.when)) return quotedList(columnsIn(part), 'and');
  const conditions = Object.entries(part.when).map(
    ([name, values]) => `${quote(name)} is ${quotedList([values].flat().map(String), 'or')}`,
  );
  return `${partInWords(part.take)} if ${listed(conditions, 'and')}`;
}

/** The same of authors: `"user_id" unless it is "0", else the visitor of "chat_id"`. */
const peopleIn = (value: unknown): readonly string[] =>
  (isTable(value) && Array.isArray(value.first) ? value.first : [value]).map((part: unknown) => {
    const nobody = isTable(part) && isTable(part.values) ? Object.keys(part.values) : [];
    const [, word] = (isTable(part) && /^(\w+):\{[^{}]+\}$/.exec(String(part.template))) || [];
    const named = `${word === undefined ? '' : `the ${word} of `}${quotedList(columnsIn(part), 'and')}`;
    return nobody.length > 0 ? `${named} unless it is ${quotedList(nobody, 'or')}` : named;
  });

/** Tables that a value reads, in quotes: of a query, those that it takes rows from. */
function tablesIn(value: unknown): readonly string[] {
  if (!isTable(value)) return [];
  const { table, file, list, query } = value;
  if (typeof query !== 'string') {
    const name = quote(String(table ?? file ?? ''));
    return [typeof list === 'string' && list !== '' ? `${quote(list)} in ${name}` : name];
  }
  const names = [
    ...query.matchAll(
      /(?:\bSELECT '([^']+):' \|\| [^()]*?)?\b(?:FROM|JOIN)\s+(?:"((?:[^"]|"")*)"|([\p{L}\p{N}_$.]+))/giu,
    ),
  ];
  const named = names.map(([, word, quoted, plain]) => {
    const own = quote(quoted?.replaceAll('""', '"') ?? plain!);
    return word === undefined ? own : `${own} (${quote(word)})`;
  });
  return [...new Set(named)];
}

const audiences: Readonly<Record<string, string>> = {
  direct: 'two people',
  'group-direct': 'a few people',
  private: 'members alone',
  public: 'everybody',
};

/** `"dm" is for two people, "room" for members alone`. */
function sayMeanings(value: unknown, rows: RowsLookedAt | undefined): string {
  const meanings = isTable(value) && isTable(value.values) ? Object.entries(value.values) : [];
  const known = rows?.values[columnsIn(value)[0] ?? ''] ?? [];
  const shown = meanings.slice(0, namedMax + 1).map(([word, meaning], index) => {
    const audience = audiences[String(meaning)] ?? String(meaning);
    const told = known.find((one) => one.value === word)?.word;
    return `${quote(word)}${told === undefined ? '' : ` (${told})`}${index === 0 ? ' is' : ''} for ${audience}`;
  });
  return [...shown, ...(meanings.length > shown.length ? ['…'] : [])].join(', ');
}

/** A value, with its rows if they were counted. */
type Met = Pick<ValueRows, 'value' | 'word' | 'example'> & { readonly rows?: number };

/** A condition of a column, in parts: the values of rows that stay, and of those that do not. */
interface Parted {
  readonly column: string;
  readonly kept: readonly Met[];
  readonly dropped: readonly Met[];
  /** Whether it only asks for a value, or for none. */
  readonly isFilled?: boolean;
}

/** Says which rows are kept or left out; undefined for a value that sorts none. */
function saySorted(
  { key, words, column }: FoundWords,
  value: unknown,
  rows: RowsLookedAt | undefined,
): string | undefined {
  const { does, rows: nouns } = words as KeyWords & { readonly rows: RowWords };
  const whole = does.all?.replace('{columns}', () => quote(column));
  if (formOf(value) === 'nothing' && does.nothing !== undefined) return does.nothing;
  if (isTable(value) && (value.any === true || 'constant' in value)) return whole;
  const held = part(value, column, rows);
  const parted = key.endsWith('.skipWhen')
    ? held.map((one) => ({ ...one, kept: one.dropped, dropped: one.kept }))
    : held;
  const dropping = parted.filter(({ dropped }) => dropped.some((one) => one.rows !== 0));
  const told = dropping.length > 0 ? dropping : parted;
  if (told.length === 0) return undefined;
  const dropsMore = told.some(({ kept, dropped }) => dropped.length > kept.length);
  const isEven = told.every(({ kept, dropped }) => dropped.length === kept.length);
  const isKept =
    does.keep !== undefined &&
    column !== '' &&
    (dropping.length === 0 || dropsMore || (isEven && !nouns.isOfLeavingOut));
  if (dropping.length === 0 && !isKept && whole !== undefined) return whole;
  const phrases = told.map(({ column: name, kept, dropped, isFilled }) =>
    sayRows(nouns, name, { values: isKept ? kept : dropped, isAny: isFilled }, rows),
  );
  return (isKept ? does.keep! : does.drop!).replace('{rows}', () => listed(phrases, 'and'));
}

/** @param column The column that the key names; empty if the value names columns. */
function part(value: unknown, column: string, rows: RowsLookedAt | undefined): readonly Parted[] {
  const known = (name: string) => rows?.values[name] ?? [];
  const parted = (name: string, isKept: (text: string) => boolean, named: readonly string[]): Parted => {
    const met = known(name);
    const unmet = named
      .filter((text) => !met.some((one) => one.value === text))
      .map((text) => ({ value: text, rows: 0 }));
    const all =
      met.length > 0
        ? [...met, ...unmet.filter(({ value: text }) => text !== '')]
        : unmet.map(({ value: text }) => ({ value: text }));
    return {
      column: name,
      kept: all.filter(({ value: text }) => isKept(text)),
      dropped: all.filter(({ value: text }) => !isKept(text)),
    };
  };
  if (isTable(value) && isTable(value.values)) {
    const { values } = value;
    const isMessage = (text: string) => (values[text] ?? 'message') === 'message';
    return [parted(String(value.from), isMessage, Object.keys(values))];
  }
  const conditions = column === '' ? Object.entries(isTable(value) ? value : {}) : [[column, value] as const];
  return conditions.flatMap(([name, condition]) => {
    if (isTable(condition) && 'filled' in condition)
      return [{ ...parted(name, (text) => (text !== '') === condition.filled, ['']), isFilled: true }];
    if (isTable(condition)) return [];
    const texts = [condition].flat().map(String);
    return [parted(name, (text) => texts.includes(text), texts)];
  });
}

/** `the 149 rows where "kind" is "note"`; of a part of the table `the rows … (149 of 1,000 looked at)`. */
function sayRows(
  nouns: RowWords,
  column: string,
  { values, isAny = false }: { readonly values: readonly Met[]; readonly isAny: boolean | undefined },
  rows: RowsLookedAt | undefined,
): string {
  const count = values.every((one) => one.rows !== undefined)
    ? values.reduce((sum, one) => sum + (one.rows ?? 0), 0)
    : undefined;
  const wordOf = new Map(values.map(({ value, word }) => [value, word]));
  const show = (value: string) => `${quote(value)}${wordOf.get(value) === undefined ? '' : ` (${wordOf.get(value)})`}`;
  const filled = values.filter(({ value }) => value !== '').map(({ value }) => value);
  const hasEmpty = filled.length < values.length;
  const which =
    filled.length === 0
      ? `without a ${quote(column)}`
      : isAny
        ? `with a ${quote(column)}`
        : `where ${quote(column)} is ${quotedList(filled, 'or', show)}${hasEmpty ? ' or empty' : ''}`;
  if (count === undefined || rows === undefined) return `the ${nouns.many} ${which}`;
  if (rows.isWhole) return `the ${formatCount(count)} ${count === 1 ? nouns.one : nouns.many} ${which}`;
  return `the ${nouns.many} ${which} (${formatCount(count)} of ${formatCount(rows.count)} looked at)`;
}
