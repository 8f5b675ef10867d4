import { hasBbcode } from '../../../kit/text/bbcode.ts';
import type { Reading } from '../../../table-source.ts';
import { inMarkup } from '../../bind/text.ts';
import type { Markup } from '../../schema/expressions.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';

const key = 'messages.text.markup';

/** Proposes how texts are written: by their content, or by a column with the markup of each row. Asks if two readings fit. */
export function proposeMarkup(columns: ColumnChoice, text: ColumnProfile): void {
  if (columns.draft.at(key) !== undefined || proposeColumn(columns, text)) return;
  const { texts } = text;
  const found = texts.map(findMarkupSigns);
  const countOf = (sign: keyof MarkupSigns) => found.filter((one) => one[sign]).length;
  const [tagged, referring, bbcode] = [countOf('isTagged'), countOf('hasReference'), texts.filter(hasBbcode).length];
  if (tagged + referring + bbcode === 0) return;
  const lines = countOf('hasLines');
  const evidenceOf: Readonly<Record<Markup, string>> = {
    html:
      tagged > 0 ? `${count(tagged)} of ${count(texts.length)} texts hold HTML` : referenceEvidence(referring, texts),
    'html-lines': 'HTML in which line ends count',
    plain: 'people wrote them so',
    markdown: '',
    bbcode: `${count(bbcode)} of ${count(texts.length)} texts hold BBCode`,
  };
  const isHtmlAlone = tagged >= texts.length * 0.2 && bbcode + lines + countOf('isPlain') === 0;
  if (isHtmlAlone) {
    columns.draft.choose(key, { value: 'html', because: evidenceOf.html });
    return;
  }
  const both: Markup[] = lines > 0 ? ['html-lines', 'html'] : ['html', 'html-lines'];
  const htmls = tagged + lines > 0 ? both : ['html' as const];
  const others: Markup[] = [...(bbcode > 0 ? ['bbcode' as const] : []), ...(tagged + referring > 0 ? htmls : [])];
  // If most texts are only words, a tag may be an example that a person wrote for others.
  const isMostlyPlain = (tagged || referring) + bbcode < texts.length / 2 && tagged + bbcode > 0;
  const markups: Markup[] = isMostlyPlain ? ['plain', ...others] : [...others, 'plain'];
  const [first, ...more] = markups.map(
    (markup): Reading => ({
      value: markup,
      because: `${evidenceOf[markup]}; ${shownAs(markup, texts, found)}`,
    }),
  );
  columns.draft.choose(key, { ...first!, alternatives: more, isRequired: true });
}

const referenceEvidence = (rows: number, texts: readonly string[]) =>
  `${count(rows)} of ${count(texts.length)} texts hold character references of HTML, such as &amp;`;

/** Characters that are shown of a text. */
const shownMax = 60;

/** A row that this reading changes, rather one of those that speak against it. */
function shownAs(markup: Markup, texts: readonly string[], looks: readonly MarkupSigns[]): string {
  const marked = texts.filter((text, index) => looks[index]!.isTagged || looks[index]!.hasReference || hasBbcode(text));
  const against = texts.filter((_, index) => looks[index]!.isPlain || looks[index]!.hasLines);
  const changed = [...against, ...marked].find((text) => inMarkup(markup, text) !== text);
  const text = changed ?? marked[0] ?? texts[0]!;
  return `${showExcerpt(text)} is read as ${showExcerpt(inMarkup(markup, text))}`;
}

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
}

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
export function isMarked(text: string): boolean {
  if (!/[<&[]/.test(text)) return false;
  const { isTagged, hasReference } = findMarkupSigns(text);
  return isTagged || hasReference || hasBbcode(text);
}

function findMarkupSigns(text: string): MarkupSigns {
  const hasReference = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-f]{1,6});/i.test(text);
  const tags = text.includes('<') ? readTags(text) : undefined;
  const isTagged = tags !== undefined && tags.length > 0;
  const isBlocks = isTagged && tags.some((name) => blocks.has(name));
  return {
    isTagged,
    isPlain: (text.includes('<') && !isTagged) || (!isTagged && /&(?![a-z]+;|#\d+;|#x[\da-f]+;)/i.test(text)),
    hasLines: !isBlocks && /\S[^\S\n]*\n\s*\S/.test(text),
    hasReference,
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

type Words = Readonly<Record<string, Markup>>;
const html: Words = { html: 'html', htm: 'html', 'text/html': 'html' };
const markdown: Words = { markdown: 'markdown', md: 'markdown', 'text/markdown': 'markdown' };
const plain: Words = { plain: 'plain', text: 'plain', plaintext: 'plain', txt: 'plain', 'text/plain': 'plain' };
const words: Words = { ...html, ...markdown, ...plain, bbcode: 'bbcode' };
/** Moodle's: https://github.com/moodle/moodle/blob/main/lib/weblib.php, FORMAT_MOODLE to FORMAT_MARKDOWN (2026-11). */
const moodle: Words = { 0: 'html-lines', 1: 'html', 2: 'plain', 4: 'markdown' };

/** @returns Whether a column says of each row how its text is written. */
function proposeColumn(columns: ColumnChoice, text: ColumnProfile): boolean {
  const profiles = columns.unused;
  const isIn = (list: Words) => (profile: ColumnProfile) =>
    profile.texts.length > 0 && distinct(profile).every((word) => Object.hasOwn(list, word.toLowerCase()));
  const isSaying = (profile: ColumnProfile) => distinct(profile).some((word) => words[word.toLowerCase()] !== 'plain');
  const byWord = profiles.filter(isIn(words)).find(isSaying);
  const byNumber = byWord
    ? undefined
    : profiles.find((profile) => /format/i.test(profile.name) && isIn(moodle)(profile));
  const profile = byWord ?? byNumber;
  if (!profile) return false;
  columns.use(profile.name);
  const list = byWord ? words : moodle;
  const values = Object.fromEntries(distinct(profile).map((word) => [word, list[word.toLowerCase()]!]));
  const said = distinct(profile).map(
    (word) => `${word} in ${count(profile.texts.filter((one) => one === word).length)}`,
  );
  const isCertain = byWord !== undefined && !contradicts(columns, text, profile);
  columns.draft.choose(key, {
    value: { from: profile.name, values },
    because: `"${profile.name}" says it: ${said.join(', ')} of ${count(profile.rowCount)} rows`,
    alternatives: isCertain
      ? []
      : (['plain', 'html', 'html-lines'] as const).map((value) => ({ value, because: 'the same for all rows' })),
    isRequired: !isCertain,
  });
  return true;
}

/** Whether a row that is called plain holds tags all the same. */
const contradicts = ({ rows }: ColumnChoice, text: ColumnProfile, format: ColumnProfile): boolean =>
  rows.some((row) => {
    const word = String(row.get(format.name) ?? '')
      .trim()
      .toLowerCase();
    return words[word] === 'plain' && findMarkupSigns(String(row.get(text.name) ?? '')).isTagged;
  });
