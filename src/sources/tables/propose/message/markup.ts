import { hasBbcode } from '../../../kit/text/bbcode.ts';
import { isEditorDocument } from '../../../kit/text/editor-document.ts';
import type { Reading } from '../../../table-source.ts';
import { inMarkup } from '../../bind/text.ts';
import { valueText } from '../../bind/value.ts';
import type { Markup } from '../../schema/expressions.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, isFlag, showValue, wordFor } from '../columns.ts';
import { meaningOfWords } from '../which-rows.ts';
import { readFlag, splitWords } from '../../../../model/visibility-words.ts';

const key = 'messages.text.markup';

/** Share of texts with marks of Markdown, below which people may have typed them for others. */
const markdownShareMin = 0.2;

/** Proposes how texts are written: by a column with the markup of each row, or by their content. Asks if two readings fit. */
export function proposeMarkup(columns: ColumnChoice, text: ColumnProfile): void {
  if (columns.draft.at(key) !== undefined || proposeColumn(columns, text)) return;
  const { texts } = text;
  const found = texts.map(findMarkupSigns);
  const countOf = (sign: keyof MarkupSigns) => found.filter((one) => one[sign]).length;
  const [tagged, referring, bbcode] = [countOf('isTagged'), countOf('hasReference'), countOf('hasBbcode')];
  const [documents, markdown, lines] = [countOf('isDocument'), countOf('hasMarkdown'), countOf('hasLines')];
  const holding = (rows: number, what: string) => `${count(rows)} of ${count(texts.length)} texts hold ${what}`;
  const evidenceOf: Readonly<Record<Markup, string>> = {
    html: tagged > 0 ? holding(tagged, 'HTML') : holding(referring, 'character references of HTML, such as &amp;'),
    'html-lines': 'HTML in which line ends count',
    plain: 'people wrote them so',
    markdown: holding(markdown, 'Markdown'),
    bbcode: holding(bbcode, 'BBCode'),
    document: holding(documents, 'a document of an editor'),
  };
  const isHtmlAlone = tagged >= texts.length * 0.2 && bbcode + lines + documents + countOf('isPlain') === 0;
  // Markdown is sent as it is, like plain texts: nothing to decide.
  const isMarkdown = tagged + referring + bbcode + documents === 0 && markdown >= texts.length * markdownShareMin;
  if (isHtmlAlone || isMarkdown || documents === texts.length) {
    const value = isHtmlAlone ? 'html' : isMarkdown ? 'markdown' : 'document';
    columns.draft.choose(key, { value, because: evidenceOf[value] });
    return;
  }
  const both: Markup[] = lines > 0 ? ['html-lines', 'html'] : ['html', 'html-lines'];
  const htmls = tagged + lines > 0 ? both : ['html' as const];
  const others: Markup[] = [
    ...(documents > 0 ? ['document' as const] : []),
    ...(bbcode > 0 ? ['bbcode' as const] : []),
    ...(tagged + referring > 0 ? htmls : []),
  ];
  if (others.length === 0) return;
  // If most texts are only words, a tag may be an example that a person wrote for others.
  const isMostlyPlain = documents === 0 && (tagged || referring) + bbcode < texts.length / 2 && tagged + bbcode > 0;
  const markups: Markup[] = isMostlyPlain ? ['plain', ...others] : [...others, 'plain'];
  const [first, ...more] = markups.map(
    (markup): Reading => ({
      value: markup,
      because: `${evidenceOf[markup]}; ${shownAs(markup, texts, found)}`,
    }),
  );
  columns.draft.choose(key, { ...first!, alternatives: more, isRequired: true });
}

/** Characters that are shown of a text. */
const shownMax = 60;

/** A row that this reading changes, rather one of those that speak against it. */
function shownAs(markup: Markup, texts: readonly string[], looks: readonly MarkupSigns[]): string {
  const marked = texts.filter((_, index) => isMarkedBy(looks[index]!));
  const against = texts.filter((_, index) => looks[index]!.isPlain || looks[index]!.hasLines);
  const changed = [...against, ...marked].find((text) => inMarkup(markup, text) !== text);
  return showReading(markup, changed ?? marked[0] ?? texts[0]!);
}

const showReading = (markup: Markup, text: string): string =>
  `${showExcerpt(text)} is read as ${showExcerpt(inMarkup(markup, text))}`;

const showExcerpt = (text: string): string =>
  JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax - 1)}…` : text);

/** Markup found in one text. */
interface MarkupSigns {
  /** Tags of HTML, each closed, and nothing else that begins like one. */
  readonly isTagged: boolean;
  /** Signs that HTML would eat, or write otherwise. */
  readonly isPlain: boolean;
  /** Line ends between words that no tag of a block accounts for. */
  readonly hasLines: boolean;
  readonly hasReference: boolean;
  readonly hasBbcode: boolean;
  /** Marks that people seldom type by accident: two stars around words, a link, a fence, a heading. */
  readonly hasMarkdown: boolean;
  readonly isDocument: boolean;
}

const markdownMarks =
  /\*\*[^*\s](?:[^*\n]{0,500}[^*\s])?\*\*|\[[^\]\n]{1,500}\]\((?:https?:|mailto:|\/)[^)\s]+\)|^```|^#{1,6} \S/m;

const tagPattern = /<!--(?:(?!<!--)[\s\S])*?-->|<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?(\/?)>/gi;
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const blocks = wordSet(
  'p br div ul ol li blockquote pre h1 h2 h3 h4 h5 h6 hr table tr td th tbody thead section figure',
);
const elements = wordSet(
  'b i a strong em u s del ins strike span code img font sub sup small big center tt q cite label mark time audio video iframe source picture figcaption html body head meta details summary',
);
/** Elements that need no end. */
const open = wordSet('br hr img p li td tr th source meta');

/** Whether something in a text says that it is more than plain words. */
export const isMarked = (text: string): boolean => /[<&[]/.test(text) && isMarkedBy(findMarkupSigns(text));

const isMarkedBy = ({ isTagged, hasReference, hasBbcode, isDocument }: MarkupSigns): boolean =>
  isTagged || hasReference || hasBbcode || isDocument;

function findMarkupSigns(whole: string): MarkupSigns {
  const isDocument = isEditorDocument(whole);
  const text = isDocument ? '' : whole;
  const tags = text.includes('<') ? readTags(text) : undefined;
  const isTagged = tags !== undefined && tags.length > 0;
  const isBlocks = isTagged && tags.some((name) => blocks.has(name));
  return {
    isTagged,
    isPlain: (text.includes('<') && !isTagged) || (!isTagged && /&(?![a-z]+;|#\d+;|#x[\da-f]+;)/i.test(text)),
    hasLines: !isBlocks && /\S[^\S\n]*\n\s*\S/.test(text),
    hasReference: /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-f]{1,6});/i.test(text),
    hasBbcode: hasBbcode(text),
    hasMarkdown: markdownMarks.test(text),
    isDocument,
  };
}

/** Names of a text's tags; undefined where something that looks like one is none, or is not closed. */
function readTags(text: string): readonly string[] | undefined {
  const names: string[] = [];
  const opened: string[] = [];
  for (const [, slash, name, selfClosed] of text.matchAll(tagPattern)) {
    if (name === undefined) continue;
    const tag = name.toLowerCase();
    if (!blocks.has(tag) && !elements.has(tag)) return undefined;
    names.push(tag);
    if (open.has(tag) || selfClosed !== '') continue;
    if (slash === '') opened.push(tag);
    else if (opened.pop() !== tag) return undefined;
  }
  const rest = text.replace(tagPattern, '');
  return opened.length === 0 && !rest.includes('<') ? names : undefined;
}

/** Words of columns that say how a text is written. */
const words = meaningOfWords<Markup>({
  html: 'html htm xhtml',
  markdown: 'markdown md commonmark gfm',
  plain: 'plain text plaintext txt',
  bbcode: 'bbcode',
  document: 'prosemirror tiptap slate lexical quill delta adf',
});
/** `text/html`, `filtered_html`, `plain_text`; nothing for `rich_text`, nor for the name of a file or an address such as `index.html`. */
function meaningOf(name: string): Markup | undefined {
  if (!/^[\w+ /-]{1,40}(?:;|$)/.test(name)) return undefined;
  const found = splitWords(name.split(';', 1)[0]!).map((word) => words.get(word));
  return (
    found.find((markup) => markup !== undefined && markup !== 'plain') ??
    (found.includes(undefined) ? undefined : 'plain')
  );
}

/** Moodle's: https://github.com/moodle/moodle/blob/main/lib/weblib.php, FORMAT_MOODLE to FORMAT_MARKDOWN (2026-11). */
const moodle = new Map<string, Markup>([
  ['0', 'html-lines'],
  ['1', 'html'],
  ['2', 'plain'],
  ['4', 'markdown'],
]);

/** Names of columns whose values may be formats, and so many of those. */
const formatNames = /format|markup|syntax|editor/i;
const formatsMax = 6;

/** @returns Whether a column says of each row how its text is written. */
function proposeColumn(columns: ColumnChoice, text: ColumnProfile): boolean {
  for (const profile of columns.unused.filter(({ texts }) => texts.length > 0)) {
    const rows = Map.groupBy(columns.rows, (row) => valueText(row.get(profile.name))?.trim() ?? '');
    const textsOf = (value: string) => (rows.get(value) ?? []).flatMap((row) => valueText(row.get(text.name)) ?? []);
    const found = readFormats(profile, textsOf);
    const marked = found && [...found.values].find(([, markup]) => markup !== 'plain');
    if (!found || !marked) continue;
    const said = [...found.values.keys()].map(
      (value) => `${showValue(profile, value)} in ${count(rows.get(value)!.length)}`,
    );
    const [value, markup] = marked;
    const shown = found.isCertain ? '' : `; ${showReading(markup, textsOf(value)[0] ?? '')}`;
    columns.use(profile.name);
    columns.draft.choose(key, {
      value: { from: profile.name, values: Object.fromEntries(found.values) },
      because: `"${profile.name}" says it: ${said.join(', ')} of ${count(profile.rowCount)} rows${shown}`,
      alternatives: found.isCertain ? [] : sameForAll([...found.values.values()]),
      isRequired: !found.isCertain,
    });
    return true;
  }
  return false;
}

function sameForAll(markups: readonly Markup[]): readonly Reading[] {
  const htmls: readonly Markup[] = markups.includes('html') ? ['html', 'html-lines'] : [];
  const all = new Set<Markup>(['plain', ...htmls, ...markups]);
  return [...all].map((value) => ({ value, because: 'the same for all rows' }));
}

interface Formats {
  readonly values: ReadonlyMap<string, Markup>;
  /** Whether the words are usual ones, and no text called plain holds tags. */
  readonly isCertain: boolean;
}

/** The markup that the values of a column name: usual words; yes and no under the name of a markup; else, under the name of a format, what the texts show. */
function readFormats(profile: ColumnProfile, textsOf: (value: string) => readonly string[]): Formats | undefined {
  const values = distinct(profile);
  const named = meaningOf(profile.name);
  const flag = isFlag(profile) && named !== 'plain' ? named : undefined;
  const said = (value: string) =>
    flag === undefined ? meaningOf(wordFor(profile, value)) : readFlag(value) ? flag : 'plain';
  const isUsual = values.every((value) => said(value) !== undefined);
  const isFormat = formatNames.test(profile.name) && values.length <= formatsMax;
  if (!isUsual && !isFormat) return undefined;
  const areOfMoodle = !isUsual && values.every((value) => moodle.has(value));
  const read = (value: string) => (areOfMoodle ? moodle.get(value) : said(value)) ?? likeliest(textsOf(value));
  const found = new Map(values.map((value) => [value, read(value)]));
  // A flag may be about something else.
  const isSeen = flag === undefined || values.some((value) => readFlag(value) && likeliest(textsOf(value)) === flag);
  const isPlain = ([value, markup]: readonly [string, Markup]) =>
    markup !== 'plain' || !textsOf(value).some((text) => findMarkupSigns(text).isTagged);
  return isSeen ? { values: found, isCertain: isUsual && [...found].every(isPlain) } : undefined;
}

const signsOf = { document: 'isDocument', html: 'isTagged', bbcode: 'hasBbcode', markdown: 'hasMarkdown' } as const;

/** The markup that most texts show; plain if none does. */
function likeliest(texts: readonly string[]): Markup {
  const looks = texts.map(findMarkupSigns);
  const ranked = (Object.keys(signsOf) as (keyof typeof signsOf)[])
    .map((markup) => ({ markup, rows: looks.filter((one) => one[signsOf[markup]]).length }))
    .toSorted((a, b) => b.rows - a.rows);
  return ranked[0]!.rows > 0 ? ranked[0]!.markup : 'plain';
}
