import {
  isAboutOthers,
  isForAll,
  namesAudience,
  namesKind,
  namesPerson,
  namesShown,
  namesWhoOrWhen,
  readFlag,
  saysHidden,
  saysUndelivered,
  splitWords,
  type Words,
} from '../../../../model/visibility-words.ts';
import { isYes, valueText } from '../../bind/value.ts';
import { parseCell, pathStep } from '../../row.ts';
import { type ColumnChoice, type ColumnProfile, count, showValue, textsIn, wordFor } from '../columns.ts';
import { valuesMax } from '../which-rows.ts';

/**
 * Proposes to leave out rows that were not meant for everyone in the conversation, or that no one received: notes among
 * agents, whispers, drafts, rows that failed, were deleted or were hidden. They are left out unless the user decides
 * otherwise: the table is in docs/understand/evidence.md. The proposal lists the values that may pass (`only`); a value that is not in the sample is
 * therefore left out and counted as well.
 */
export function proposeVisibility(columns: ColumnChoice): void {
  const { draft } = columns;
  const [only, skipWhen] = [draft.at('messages.only'), draft.at('messages.skipWhen')];
  const decided = [only, skipWhen].map(listColumns);
  // No column is named: the user has decided that all rows are sent.
  if (decided.some((names) => names?.length === 0) || (only !== undefined && skipWhen !== undefined)) return;
  const bound = new Set([...textsIn(draft.at('messages')), ...decided.flatMap((names) => names ?? [])]);
  // Fields around a list describe no single row.
  const isOwn = (name: string) => !bound.has(name) && !name.startsWith('$outer.');
  const marks = [...new Set([...columns.names, ...columns.inside, ...marksInCells(columns)])]
    .filter(isOwn)
    .flatMap((name) => findMark(columns.profile(name)) ?? [])
    .filter((mark) => !saysDeletedAgain(columns, mark));
  if (marks.length === 0) return;
  // A column that sorts rows into kinds may say more of them.
  for (const { column, isOfKinds } of marks) if (!isOfKinds) columns.use(column);
  const found = marks.filter(({ rows }) => rows > 0);
  // If the user has set what may pass, the remaining rules list what may not.
  const isAllowList = only === undefined;
  const rules = isAllowList ? marks : marks.filter(({ hiding }) => hiding.length > 0);
  if (rules.length === 0) return;
  draft.choose(isAllowList ? 'messages.only' : 'messages.skipWhen', {
    value: Object.fromEntries(
      rules.map(({ column, passing, hiding }) =>
        passing.join('') === '' ? [column, { filled: !isAllowList }] : [column, isAllowList ? passing : hiding],
      ),
    ),
    because:
      found.length === 0
        ? `no row is marked by ${marks.map(({ column }) => `"${column}"`).join(', ')}`
        : `${found.map(inWords).join('; ')}: these rows were not for everybody, or were not delivered`,
    ...(found.length > 0 && {
      alternatives: [{ value: {}, because: 'send them like all others' }],
      isEvident: true as const,
    }),
  });
}

/** Marks that are looked for in the cells of one column. */
const marksMax = 50;

/** Paths of fields in the JSON of cells, at any depth, whose names may say who sees a row. */
function marksInCells(columns: ColumnChoice): readonly string[] {
  return columns.names.flatMap((column) => {
    const found = new Set<string>();
    for (const text of columns.profile(column).texts) collectMarks(parseCell(text), '', found);
    // The name of a field of JSON is a path already; that of a column may have dots.
    return [...found].flatMap((path) => {
      const paths = [`${column}${path}`, `${pathStep(column)}${path}`];
      return paths.find((one) => columns.rows.some((row) => row.get(one) !== undefined)) ?? [];
    });
  });
}

function collectMarks(value: unknown, path: string, into: Set<string>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, given] of Object.entries(value)) {
    const words = splitWords(key);
    const inner = typeof given === 'string' ? (parseCell(given) ?? given) : given;
    const at = `${path}.${pathStep(key)}`;
    if (typeof inner === 'object') {
      if (!words.every((word) => namesPerson([word]))) collectMarks(inner, at, into);
    } else if (
      into.size < marksMax &&
      (hidesRow(words) || namesShown(words) || namesAudience(words) || namesKind(words))
    ) {
      into.add(at);
    }
  }
}

/** Returns whether all rows that the mark hides are already bound as deleted: `deleted_by` next to `deleted_at`. */
function saysDeletedAgain({ rows, draft }: ColumnChoice, { column, hiding }: Mark): boolean {
  const deleted = draft.at('messages.deleted');
  if (typeof deleted !== 'string' || hiding.length === 0) return false;
  const hidden = rows.filter((row) => hiding.includes(valueText(row.get(column))?.trim() ?? ''));
  return hidden.every((row) => isYes(row.get(deleted)));
}

/** The columns of conditions that the user has written. */
const listColumns = (conditions: unknown): readonly string[] | undefined =>
  typeof conditions === 'object' && conditions !== null ? Object.keys(conditions) : undefined;

/** A column by which rows are left out. */
interface Mark {
  readonly column: string;
  /** Texts of rows that may pass; an empty cell is the empty text. */
  readonly passing: readonly string[];
  readonly hiding: readonly string[];
  readonly isOfKinds?: boolean;
  /** Rows of the sample that are left out. */
  readonly rows: number;
  /** A value as people read it. */
  readonly show: (value: string) => string;
}

const shownMax = 3;

const inWords = ({ column, hiding, rows, show }: Mark): string => {
  const shown = hiding.slice(0, shownMax).map(show);
  const more = hiding.length > shownMax ? ', …' : '';
  return `"${column}" is ${shown.join(' or ')}${more} in ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
};

function findMark(profile: ColumnProfile): Mark | undefined {
  const words = splitWords(profile.name);
  const texts = [...new Set([...profile.texts, ...(profile.allowed ?? [])])];
  // A column without values does not show which values will pass.
  if (profile.texts.length === 0 || isAboutOthers(words)) return undefined;
  const isFlag = (text: string) => readFlag(wordFor(profile, text)) !== undefined;
  const isBoolean = texts.every(isFlag);
  // Another word among flags, such as "maybe", does not say that everybody may see the row.
  const hasFlags = isBoolean || profile.texts.filter(isFlag).length * 2 > profile.texts.length;
  const isHiding = hidesRow(words);
  if (hasFlags && isHiding) return splitFlag(profile, true);
  if (hasFlags && (namesShown(words) || /approved|shared/.test(words.join(' ')))) return splitFlag(profile, false);
  if (isBoolean) return undefined;
  if (isHiding && namesWhoOrWhen(words)) return split(profile, (text) => text !== '');
  if (namesAudience(words)) return split(profile, (text) => text !== '' && !isForAll(wordFor(profile, text)));
  return markOfWords(profile, words, texts);
}

const hidesRow = (words: Words): boolean => saysHidden(words) || saysUndelivered(words);

/** Few values, of which some hide: a type, a status. */
function markOfWords(profile: ColumnProfile, name: Words, texts: readonly string[]): Mark | undefined {
  const comesAgain = texts.length * 3 <= profile.texts.length;
  const isSorting = namesKind(name) || comesAgain;
  const areWords =
    (comesAgain || texts.length <= valuesMax) &&
    texts.every((text) => text.length <= 40 && (profile.words?.has(text) || splitWords(text).length <= 3));
  if (!isSorting || !areWords) return undefined;
  // In a column about a person, most words describe the person. That the person wrote for their own colleagues
  // describes the row.
  const isHiding = namesPerson(name)
    ? (words: Words) => words.some((word) => /^(?:internal|whisper|note|notes|intern)$/.test(word))
    : hidesRow;
  // HubSpot, for one, calls what agents write to each other comments.
  const isWord = (text: string, word: string) => wordFor(profile, text).toLowerCase() === word;
  const isBesideMessages = texts.some((text) => isWord(text, 'message'));
  const mark = split(
    profile,
    (text) => isHiding(splitWords(wordFor(profile, text))) || (isBesideMessages && isWord(text, 'comment')),
  );
  return mark.hiding.length > 0 ? { ...mark, isOfKinds: true } : undefined;
}

/**
 * The opposite of each word, in its spelling. If the sample holds only one of the two, the proposal passes or leaves
 * out the other as well.
 */
const opposites = new Map(
  ['0 1', 'f t', 'false true', 'n y', 'no yes', 'off on', 'nein ja', 'falsch wahr']
    .flatMap((pair) => [pair, pair.replace(/\b\w/g, (letter) => letter.toUpperCase()), pair.toUpperCase()])
    .map((pair) => pair.split(' ') as [string, string])
    .flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
);

function splitFlag(profile: ColumnProfile, hiding: boolean): Mark {
  const mark = split(profile, (text) => text !== '' && readFlag(wordFor(profile, text)) !== !hiding);
  const shown = mark.hiding.flatMap((text) => opposites.get(text) ?? []);
  return { ...mark, passing: [...new Set([...mark.passing, ...shown])] };
}

function split(profile: ColumnProfile, isHiding: (text: string) => boolean): Mark {
  const { name, texts, allowed = [] } = profile;
  const found = new Set([...texts, ...allowed]);
  const hiding = [...found].filter((text) => isHiding(text));
  const passing = [...found].filter((text) => !isHiding(text));
  const rows = texts.filter((text) => isHiding(text)).length;
  return { column: name, passing: [...passing, ''], hiding, rows, show: (value) => showValue(profile, value) };
}
