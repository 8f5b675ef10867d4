import { findCipher } from '../../../../lib/text/cipher.ts';
import { asks } from '../../../../model/option.ts';
import { documentToMarkdown, isEditorDocument } from '../../../kit/text/editor-document.ts';
import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import { parseExactJson, pathStep } from '../../row.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { namesIn } from '../bound-columns.ts';
import { ColumnChoice, type ColumnProfile, count, type Draft, evidence, isWeighed, mostly } from '../columns.ts';
import type { TableFacts } from '../graph/facts.ts';
import { lastStep } from '../graph/cell-keys.ts';
import { proposeMarkup } from './markup.ts';
import { sniffTime } from './time.ts';

const names = aliases.message;
const key = 'messages.text.from';

/** Proposes the column of the text and how it is written. Asks about texts that are not words yet. */
export function proposeText(columns: ColumnChoice): void {
  const { draft } = columns;
  const decided = draft.at('messages.text');
  const bound = namesIn('messages', 'text', decided).map((name) => columns.profile(name));
  const isSaid = typeof decided === 'string' || draft.at(key) !== undefined;
  // Another column may hold the same text decrypted.
  const named = isSaid ? bound : sortBy(textColumns(columns), (profile) => Number(isEncrypted(profile)));
  const candidates = named.length > 0 || isSaid ? named : onlySentences(columns);
  const [best, ...others] = candidates;
  if (!best) {
    if (!isSaid) askForText(columns);
    return;
  }
  for (const { name } of candidates) columns.use(name);
  askAboutNulls(columns, best);
  const ciphers = findCiphers(best);
  if (!isSaid) {
    const doubts = ciphers ? [] : doubtsAbout(best);
    const readings = [
      ...doubts.flatMap((doubt) => doubt.readings),
      ...[...others, ...findRivals(columns, best)].map((one) => ({ value: one.name, because: evidence(one) })),
    ];
    const asIs = { value: best.name, because: 'send them as they are' };
    draft.choose(
      key,
      doubts.length > 0
        ? {
            because: `"${best.name}": ${doubts.map(({ because }) => because).join('; ')}`,
            alternatives: [...readings, asIs],
            isRequired: true,
          }
        : { value: best.name, because: evidence(best), alternatives: readings, isRequired: true },
    );
    if (doubts.length > 0) return;
  }
  askAboutCommands(draft, best);
  if (ciphers) askAboutCiphers(draft, best, ciphers);
  else if (typeof decided !== 'string') proposeMarkup(columns, best);
}

const sortBy = <T>(list: readonly T[], rank: (one: T) => number): readonly T[] =>
  [...list].sort((one, other) => rank(one) - rank(other));

/** Asks about NULL as a text: if empty cells mean "no value", a person may have written the word. */
function askAboutNulls(
  { draft, rows, names: columns, nulls }: ColumnChoice,
  { name }: ColumnProfile,
  isEmptyElsewhere = false,
): void {
  if (draft.at('nulls') !== undefined || nulls.length === 0) return;
  const words = rows.filter((row) => nulls.includes(String(row.get(name))));
  const hasEmpty =
    isEmptyElsewhere || columns.some((column) => column !== name && rows.some((row) => (row.get(column) ?? '') === ''));
  if (words.length === 0 || !hasEmpty) return;
  draft.choose('nulls', {
    because: `${count(words.length)} texts are ${JSON.stringify(String(words[0]!.get(name)))}, and other columns say by an empty cell that they have no value`,
    alternatives: [
      { value: [], because: 'people wrote them' },
      { value: [...nulls], because: 'they mean that there is no text' },
    ],
    isRequired: true,
  });
}

/** The same of tables that a query reads: in its result such words are no values any more. */
export function askAboutNullsIn(
  { read, all }: { readonly read: readonly TableFacts[]; readonly all: readonly TableFacts[] },
  draft: Draft,
  nulls: readonly string[],
): void {
  const hasEmpty = ({ columns, sample }: TableFacts) =>
    columns.some(({ name }) => sample.rows.some((row) => (row.get(name) ?? '') === ''));
  const isEmpty = all.some(hasEmpty);
  for (const { columns, sample } of read) {
    for (const { profile } of columns.filter(({ shape }) => shape === 'text')) {
      askAboutNulls(new ColumnChoice(sample.rows, draft, nulls), profile, isEmpty);
    }
  }
}

/** Bindings that may read the text too: platform lines are recognised by it, rows are left out by it. */
const sharing = new Set(['text', 'kind', 'only', 'skipWhen']);

/** Columns that are named like a text and are nothing else, whatever words and conditions other bindings hold. */
function textColumns(columns: ColumnChoice): readonly ColumnProfile[] {
  const bound = Object.entries((columns.draft.at('messages') ?? {}) as object)
    .filter(([binding]) => !sharing.has(binding))
    .flatMap(([binding, value]) => namesIn('messages', binding, value));
  return columnsNamed(columns.names, names.text)
    .filter((name) => !bound.includes(name) && !isWeighed(name, columns.draft.at('tables.messages.query')))
    .map((name) => columns.profile(name))
    .filter(({ texts }) => texts.length > 0);
}

const rivalLengthMin = 20;

/** Columns that hold longer texts under another name, unless they say the same in another form. */
function findRivals(columns: ColumnChoice, best: ColumnProfile): readonly ColumnProfile[] {
  // Ids and codes may be called "message", too.
  const isJson = mostly(best, (text) => isJsonText(text) && !isEditorDocument(text));
  const isWordy = !isJson && mostly(best, (text) => /\p{L}/u.test(text)) && best.texts.some((text) => /\s/.test(text));
  const least = isWordy ? Math.max(rivalLengthMin, averageLength(best) * 0.8) : 0;
  // Next to encrypted texts a short answer is a text as well.
  const share = isEncrypted(best) ? 0.5 : 0.9;
  const isSaid = (text: string) => /\p{L}\s+\p{L}/u.test(text) && !/^[[{]|^'[^']+':\d/.test(text);
  return columns.unused.filter(
    (profile) =>
      profile.texts.length * 2 >= profile.rowCount &&
      averageLength(profile) >= least &&
      profile.texts.filter(isSaid).length >= profile.texts.length * share &&
      (isJson || !saysTheSame(columns, best, profile)),
  );
}

const isJsonText = (text: string): boolean => /^(?:\[\s*)?\{/.test(text) && parseExactJson(text) !== undefined;

/** Characters of each text that are compared. */
const comparedLength = 1000;

/** Whether most rows have the same text in both columns, except for markup: HTML and Markdown, or an excerpt. */
function saysTheSame({ rows }: ColumnChoice, one: ColumnProfile, other: ColumnProfile): boolean {
  const plain = (value: unknown) =>
    documentToMarkdown(valueText(value) ?? '')
      .slice(0, comparedLength)
      .replace(/<[^>]*>|&[#\w]+;|[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  const both = rows
    .map((row) => [plain(row.get(one.name)), plain(row.get(other.name))] as const)
    .filter(([, b]) => b !== '');
  return both.filter(([a, b]) => a.includes(b) || b.includes(a)).length >= both.length * 0.8;
}

/** Columns of words, the longest first. A time has letters as well: 2024-04-01T10:00:00Z. */
const wordedColumns = (columns: ColumnChoice): readonly ColumnProfile[] =>
  columns.unused
    .filter((profile) => mostly(profile, (text) => /\p{L}/u.test(text)) && sniffTime(profile).length === 0)
    .sort((a, b) => averageLength(b) - averageLength(a));

/** The only column that holds sentences, which differ from row to row. */
function onlySentences(columns: ColumnChoice): readonly ColumnProfile[] {
  const found = wordedColumns(columns).filter(({ texts }) => texts.some((text) => /\p{L}\s+\p{L}/u.test(text)));
  const isOnly = found.length === 1 && found[0]!.texts.length > 1;
  return isOnly && new Set(found[0]!.texts).size * 2 > found[0]!.texts.length ? found : [];
}

function askForText(columns: ColumnChoice): void {
  const worded = wordedColumns(columns);
  const long = worded.filter((profile) => averageLength(profile) > 12);
  const alternatives = (long.length > 0 ? long : worded)
    .slice(0, 5)
    .map((profile) => ({ value: profile.name, because: evidence(profile) }));
  columns.draft.choose(key, { because: 'no column is named like a text', alternatives, isRequired: true });
}

/** Words in capitals that signs join, with no sentence behind them, or JSON that begins with what it does: `CC^CONTROL_{`, `USER_JOINED`, `{"type":`. */
const command =
  /^[^\p{L}\p{N}\s]{0,3}\p{Lu}{2,}(?:[_^|~$:#]+[\p{Lu}\d]+)+[_^|~$:#]*(?![\p{L}\p{N}]|\s+\S*\p{Ll})|^\{\s*"(?:type|action|event|command|cmd|op|kind|method)"\s*:/u;

/** Asks about a few texts that programs write to each other among those of people. */
function askAboutCommands(draft: Draft, { name, texts }: ColumnProfile): void {
  const beginnings = texts.flatMap((text) => command.exec(text)?.[0] ?? []);
  if (beginnings.length === 0 || beginnings.length * 2 > texts.length) return;
  draft.choose(`messages.skipWhen.${pathStep(name)}`, {
    because: `"${name}": ${count(beginnings.length)} of ${count(texts.length)} texts begin as no sentence does: ${[...new Set(beginnings)].slice(0, 3).map(shown).join(', ')}`,
    alternatives: [
      { value: { prefix: [...new Set(beginnings)] }, because: 'programs wrote them to each other' },
      { value: [], because: 'people wrote them' },
    ],
    isRequired: true,
  });
}

const averageLength = ({ texts }: ColumnProfile) =>
  texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);

/** Why texts may not be words, and what else could be read. */
interface Doubt {
  readonly because: string;
  readonly readings: readonly Reading[];
}

const doubtsAbout = (profile: ColumnProfile): readonly Doubt[] =>
  [jsonDoubt(profile), mojibakeDoubt(profile)].filter((doubt) => doubt !== undefined);

/** The least share of texts that are JSON: people show it to each other, too. */
const jsonShareMin = 0.2;
const fieldsMax = 6;

function jsonDoubt({ name, texts }: ColumnProfile): Doubt | undefined {
  const isWritten = (text: string) => (isJsonText(text) || isJsonString(text)) && !isEditorDocument(text);
  const written = texts.filter(isWritten).length;
  if (written < Math.max(1, texts.length * jsonShareMin)) return undefined;
  const fields = new Map<string, string[]>();
  for (const [path, text] of texts.flatMap((text) => textsInside(objectIn(text))))
    fields.set(path, [...(fields.get(path) ?? []), text]);
  const steps = new Map([...fields.keys()].reverse().map((path) => [lastStep(path), path]));
  const likely = columnsNamed([...steps.keys()], names.text).map((step) => steps.get(step)!);
  const readings = [...new Set([...likely, ...fields.keys()])].slice(0, fieldsMax).map((path) => ({
    value: `${pathStep(name)}.${path}`,
    because: `"${path}" of the JSON; ${count(fields.get(path)!.length)} of ${count(texts.length)} rows have it: ${shown(fields.get(path)![0]!)}`,
  }));
  return {
    because: `${count(written)} of ${count(texts.length)} texts are JSON, ${shown(texts[0]!)}`,
    readings,
  };
}

const isJsonString = (text: string): boolean => /^".*"$/s.test(text) && typeof parseExactJson(text) === 'string';

/** Steps into the JSON of a text: those of an event are deep in it. */
const depthMax = 3;

/** Paths of texts inside an object, the shallow first. */
function textsInside(value: unknown, depth = 1): readonly (readonly [path: string, text: string])[] {
  const own = Object.entries(value ?? {});
  const deeper = depth === depthMax ? [] : own.filter(([, one]) => typeof one === 'object' && !Array.isArray(one));
  return [
    ...own.flatMap(([key, one]) => (typeof one === 'string' && one !== '' ? [[pathStep(key), one] as const] : [])),
    ...deeper.flatMap(([key, one]) =>
      textsInside(one, depth + 1).map(([path, text]) => [`${pathStep(key)}.${path}`, text] as const),
    ),
  ];
}

function objectIn(text: string): object | undefined {
  const value = text.startsWith('{') ? parseExactJson(text) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** The characters of Windows-1252 by their bytes. */
const latin = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (character, byte) => [character, byte],
  ),
);

/** Repairs UTF-8 that was read as Latin-1 or Windows-1252: `für` of `fÃ¼r`. */
function repaired(text: string): string | undefined {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6-\u02dc\u2013-\u203a\u20ac\u2122]/.test(text)) return undefined;
  const bytes = [...text].map((character) => latin.get(character));
  if (bytes.includes(undefined)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[]));
  } catch {
    return undefined;
  }
}

function mojibakeDoubt({ texts }: ColumnProfile): Doubt | undefined {
  const broken = texts.filter((text) => repaired(text) !== undefined);
  if (broken.length === 0) return undefined;
  const because = `${count(broken.length)} of ${count(texts.length)} texts are UTF-8 that was read as Latin-1 before they were exported, ${shown(broken[0]!)} for ${shown(repaired(broken[0]!)!)}: export them again if you can`;
  return { because, readings: [] };
}

/** Encrypted texts of a column, and how the first of them is written. */
interface Ciphers {
  readonly texts: readonly string[];
  readonly form: string;
}

const isEncrypted = (profile: ColumnProfile): boolean => findCiphers(profile) !== undefined;

/** Lengths of hashes in hexadecimal digits: MD5, SHA-1, SHA-224 to SHA-512. A cipher is as long as its text. */
const hashLengths: ReadonlySet<number> = new Set([32, 40, 56, 64, 96, 128]);

/** Two texts in a form that no words have, or over half in one that looks so. */
function findCiphers({ texts }: ColumnProfile): Ciphers | undefined {
  const found = texts.flatMap((text) => {
    const cipher = findCipher(text);
    return cipher ? [{ text, ...cipher }] : [];
  });
  const [first] = found;
  if (!first) return undefined;
  const certain = found.filter(({ isCertain }) => isCertain).length;
  const isHash = ({ text }: { readonly text: string }) =>
    hashLengths.has(text.length) && text.length === first.text.length && /^[\da-f]+$/i.test(text);
  const isCipher = certain > 1 || certain === texts.length || (found.length * 2 > texts.length && !found.every(isHash));
  return isCipher ? { texts: found.map(({ text }) => text), form: first.form } : undefined;
}

function askAboutCiphers(draft: Draft, { name, texts }: ColumnProfile, { texts: found, form }: Ciphers): void {
  draft.choose('messages.encrypted', {
    because: `"${name}": ${count(found.length)} of ${count(texts.length)} texts are encrypted, ${form}: ${shown(found[0]!)}`,
    alternatives: [
      { value: 'skip', because: 'nobody can read them without the key' },
      { value: 'keep', because: 'people would see what is stored, and no words' },
    ],
    instead: [
      asks('Read the words from another column, decrypted', 'source.messages.text.from', 'body_decrypted'),
      asks(
        'Read the messages from another table or a query, decrypted',
        'source.tables.messages',
        '{ table: decrypted }',
      ),
    ],
    isRequired: true,
  });
}

const shown = (text: string): string => JSON.stringify((valueText(text) ?? '').slice(0, 50));
