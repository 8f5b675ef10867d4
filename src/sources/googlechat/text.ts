import type { LostPart } from '../../model/lost-parts.ts';
import { fenced, markdownLink, type Style } from '../kit/text/markdown.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import type { ChatAnnotation } from './format.ts';
import { personId } from './people.ts';
import { type ShownContent, shownContent } from './shown-content.ts';

type Annotation = Untrusted<ChatAnnotation>;

/** Facts collected while a text is read. */
export interface Gathered {
  readonly mentions: string[];
  readonly lost: Partial<Record<LostPart, number>>;
  /** Annotations that are not known, as they are. */
  readonly others: unknown[];
  /** Content that the app shows next to the text. */
  readonly shown: ShownContent[];
  readonly sentAtMs: number;
}

/** An annotation with its position in the text. */
interface Placed {
  readonly from: number;
  readonly to: number;
  readonly style: Style;
  readonly format: string | undefined;
  readonly url: string | undefined;
}

/** Annotations of one text that are looked at: far more than a text has. */
const annotationsMax = 1000;

const styles: Readonly<Record<string, Style>> = {
  BOLD: { bold: true },
  ITALIC: { italic: true },
  STRIKE: { strike: true },
  MONOSPACE: { code: true },
};

/** Formats that are more than a style. */
const blocks: ReadonlySet<string | undefined> = new Set(['MONOSPACE_BLOCK', 'BULLETED_LIST_ITEM', 'BULLETED_LIST']);

/** The text with its annotations, as Markdown. */
export function writeMarkdown(text: string, values: unknown, gathered: Gathered): string {
  const annotations = asArray(values)
    .slice(0, annotationsMax)
    .flatMap((value) => asObject<ChatAnnotation>(value) ?? []);
  lose(gathered, 'styles', asArray(values).length - annotations.length);
  const toIndex = indexCharacters(text, annotations);
  const placed: Placed[] = [];
  const behind: string[] = [];
  for (const annotation of annotations) {
    const start = asCount(annotation.start_index) ?? 0;
    const from = toIndex(start);
    const to = toIndex(start + (asCount(annotation.length) ?? 0));
    const format = asString(asObject<ChatAnnotation['format_metadata']>(annotation.format_metadata)?.format_type);
    if (format !== undefined) noteFormat(format, gathered);
    const url = readLink(annotation, text.slice(from, to), gathered);
    if (url !== undefined && (to === from || (annotation.interaction_data === undefined && !text.includes(url.url)))) {
      if (!text.includes(url.url)) behind.push(markdownLink(url.url, url.title));
    } else if (to > from) placed.push({ from, to, style: styles[format ?? ''] ?? {}, format, url: url?.url });
  }
  const written = placed.length === 0 ? text : withStyles(text, placed, gathered);
  if (text !== '' && written === text && meansMarkup(text, { isMarkup: false, isLineStart: true }))
    gathered.lost.accidentalMarkup = 1;
  return [written, ...new Set(behind)].filter((part) => part !== '').join('\n');
}

function lose({ lost }: Gathered, part: LostPart, count = 1): void {
  if (count > 0) lost[part] = (lost[part] ?? 0) + count;
}

function noteFormat(format: string, gathered: Gathered): void {
  if (styles[format] || blocks.has(format)) return;
  lose(gathered, format === 'UNDERLINE' ? 'underlines' : 'styles');
}

/**
 * Converts an index of an annotation. The format does not define what an index counts. If a text has characters of two
 * UTF-16 units, indexes count units, unless a piece would then begin or end inside a character or after the end of the
 * text, or a mention would not begin at its `@`.
 */
function indexCharacters(text: string, annotations: readonly Annotation[]): (index: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (index) => index;
  const fits = annotations.every(({ start_index: start, length, user_mention: mention }) => {
    const from = asCount(start) ?? 0;
    const to = from + (asCount(length) ?? 0);
    return (
      to <= text.length && !splits(text, from) && !splits(text, to) && (mention === undefined || text[from] === '@')
    );
  });
  if (fits) return (index) => index;
  const starts = [0];
  for (const letter of text) starts.push(starts.at(-1)! + letter.length);
  return (index) => starts[index] ?? text.length;
}

const splits = (text: string, at: number) =>
  /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');

const wrapped = (value: unknown): string | undefined =>
  asString(
    asObject<{ private_do_not_access_or_else_safe_url_wrapped_value: string }>(value)
      ?.private_do_not_access_or_else_safe_url_wrapped_value ?? value,
  );

/** Returns the link target of an annotation and its title. An annotation that is neither a link nor a style is kept unchanged. */
function readLink(
  annotation: Annotation,
  words: string,
  gathered: Gathered,
): { readonly url: string; readonly title?: string | undefined } | undefined {
  const preview = asObject<ChatAnnotation['url_metadata']>(annotation.url_metadata);
  const drive = asObject<ChatAnnotation['drive_metadata']>(annotation.drive_metadata);
  const youtube = asString(asObject<ChatAnnotation['youtube_metadata']>(annotation.youtube_metadata)?.id);
  const call = asObject<ChatAnnotation['video_call_metadata']>(annotation.video_call_metadata);
  const meeting = asString(asObject<{ meeting_url: string }>(call?.meeting_space)?.meeting_url);
  const link = wrapped(asObject<ChatAnnotation['interaction_data']>(annotation.interaction_data)?.url);
  if (annotation.user_mention !== undefined) addMention(annotation.user_mention, gathered);
  else if (preview !== undefined) {
    lose(gathered, 'previews');
    const url = wrapped(preview.url) ?? (/^https?:/.test(words) ? words : undefined);
    if (url !== undefined) return { url, title: asString(preview.title) };
  } else if (drive !== undefined && asString(drive.id) !== undefined) {
    return {
      url: `https://drive.google.com/open?id=${encodeURIComponent(drive.id as string)}`,
      title: asString(drive.title),
    };
  } else if (youtube !== undefined)
    return { url: words.includes(youtube) ? words : `https://youtu.be/${encodeURIComponent(youtube)}` };
  else if (meeting !== undefined) return { url: meeting };
  else if (link !== undefined) return { url: link };
  else if (annotation.format_metadata === undefined) {
    gathered.others.push(annotation);
    const shown = shownContent(annotation as Readonly<Record<string, unknown>>, gathered.sentAtMs);
    if (shown) gathered.shown.push(shown);
  }
  return undefined;
}

function addMention(value: unknown, { mentions }: Gathered): void {
  const { user } = asObject<ChatAnnotation['user_mention']>(value) ?? {};
  const id = personId(asObject<ChatAnnotation['user_mention']['user']>(user) ?? {});
  if (id !== undefined && !mentions.includes(id)) mentions.push(id);
}

/** Pieces between all beginnings and ends, each with the styles that hold for it. */
function withStyles(text: string, placed: readonly Placed[], gathered: Gathered): string {
  const cuts = [...new Set([0, text.length, ...placed.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  const pieces: StyledPiece[] = [];
  for (const [index, to] of cuts.slice(1).entries()) {
    const from = cuts[index]!;
    const words = text.slice(from, to);
    const over = placed.filter((one) => one.from <= from && one.to >= to);
    const begins = (format: string) => over.some((one) => one.format === format && one.from === from);
    if (begins('BULLETED_LIST_ITEM') && !/^\s*[-*•]/.test(words))
      pieces.push({ text: '- ', style: {}, isMarkdown: true });
    const url = over.find(
      (one) => one.url !== undefined && one.url !== words && one.from === from && one.to === to,
    )?.url;
    if (over.some(({ format }) => format === 'MONOSPACE_BLOCK')) {
      const before = from > 0 && text[from - 1] !== '\n' ? '\n' : '';
      const after = to < text.length && text[to] !== '\n' ? '\n' : '';
      pieces.push({ text: before + fenced(words) + after, style: {}, isMarkdown: true });
    } else if (url !== undefined) pieces.push({ text: markdownLink(url, words), style: {}, isMarkdown: true });
    else pieces.push({ text: words, style: Object.assign({}, ...over.map(({ style }) => style)) as Style });
  }
  const { markdown, stylesLost } = styledText(pieces);
  lose(gathered, 'styles', stylesLost);
  return markdown;
}
