import { meansMarkup } from '../kit/text/typed-text.ts';
import { findEmoji, emojiWithTone } from '../kit/text/emoji.ts';
import type { SlackRichElement } from './format.ts';
import { type RowProblem, textProblem } from '../kit/entries.ts';
import { fenced, quoted, type Style } from '../kit/text/markdown.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { asArray, asCount, asNumber, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import {
  decodeEntities,
  isoTime,
  linkTo,
  mentionUser,
  nameChannel,
  nameUserGroup,
  type TextContext,
} from './references.ts';

/** Context of the message that blocks need. */
export interface BlockContext extends TextContext {
  /** `text` of the message: a poorer version of what the blocks say. */
  readonly fallbackText: string;
  /** Title of a file of the message, else its id. */
  fileTitle(id: string): string;
  /** Types met that are not known here: what they say may be missing from the result. */
  readonly unknownTypes: string[];
  /** Why the row cannot be used: a word in a block is no text. */
  fault: RowProblem | undefined;
}

type Element = Untrusted<SlackRichElement>;

type PartKind = 'text' | 'list' | 'quote' | 'code';

/** The parts of a `rich_text` block, each beginning on a line of its own. Its texts are not escaped, unlike those of mrkdwn. */
export function richTextToMarkdown(parts: readonly unknown[], context: BlockContext): string {
  let markdown = '';
  let before: PartKind = 'text';
  let level = -1;
  for (const value of parts) {
    const part = asObject<SlackRichElement>(value);
    if (!part) continue;
    const kind = kindOf(part);
    level = kind === 'list' ? Math.min(asCount(part.indent) ?? 0, level + 1, levelMax) : -1;
    const text = partToMarkdown(part, kind, Math.max(level, 0), context);
    if (markdown !== '') markdown += separator(markdown, before, kind, text);
    markdown += text;
    before = kind;
  }
  return markdown;
}

/** Slack's editor stops here too; without a bound a made-up export could indent without end. */
const levelMax = 8;

function kindOf(part: Element): PartKind {
  if (part.type === 'rich_text_list') return 'list';
  if (part.type === 'rich_text_quote') return 'quote';
  return part.type === 'rich_text_preformatted' ? 'code' : 'text';
}

/** After a list or quote, and before a list that does not begin with 1 or with words, Markdown needs a blank line. */
function separator(markdown: string, before: PartKind, next: PartKind, text: string): string {
  const wouldSwallow = (before === 'list' || before === 'quote') && before !== next;
  const wouldNotInterrupt =
    before === 'text' &&
    next === 'list' &&
    ((/^\d/.test(text) && !text.startsWith('1. ')) || /^(?:-|1\.) *(?:\n|$)/.test(text));
  if (wouldSwallow || wouldNotInterrupt) return markdown.endsWith('\n') ? '\n' : '\n\n';
  return markdown.endsWith('\n') ? '' : '\n';
}

function partToMarkdown(part: Element, kind: PartKind, level: number, context: BlockContext): string {
  const elements = asArray(part.elements);
  switch (kind) {
    case 'list':
      return listToMarkdown(part, level, context);
    case 'quote':
      return quoted(inlineToMarkdown(elements, context));
    case 'code':
      return fenced(elements.map(plainText).join(''));
    case 'text':
      return part.type === 'rich_text_section'
        ? inlineToMarkdown(elements, context)
        : inlineToMarkdown([part], context);
  }
}

/** Four spaces a level: under `- ` and under `1. ` alike that is a nested list and never a code block. */
function listToMarkdown(list: Element, level: number, context: BlockContext): string {
  const indent = '    '.repeat(level);
  const first = 1 + (asCount(list.offset) ?? 0);
  const items = asArray(list.elements).map((item, index) => {
    const marker = list.style === 'ordered' ? `${first + index}. ` : '- ';
    const text = inlineToMarkdown(asArray(asObject<SlackRichElement>(item)?.elements), context);
    return (
      indent +
      marker +
      text
        // Further spaces behind the marker would be part of the list's indent, and what follows no part of the item.
        .replace(/^[ \t\n]+/, '')
        .trimEnd()
        .replaceAll('\n', `\n${indent}${' '.repeat(marker.length)}`)
    );
  });
  return items.join('\n');
}

function plainText(value: unknown): string {
  const element = asObject<SlackRichElement>(value);
  return asString(element?.text) ?? asString(element?.url) ?? '';
}

/**
 * Converts the pieces of one line or paragraph.
 *
 * @param depth Sections may be nested; past `levelMax` they are not followed, so no export can exhaust the stack.
 */
function inlineToMarkdown(elements: readonly unknown[], context: BlockContext, depth = 0): string {
  const pieces: StyledPiece[] = [];
  for (const value of elements) {
    const element = asObject<SlackRichElement>(value);
    if (!element) continue;
    const style = readStyle(element);
    const isSection = element.type === 'rich_text_section' && depth < levelMax;
    const text = isSection
      ? inlineToMarkdown(asArray(element.elements), context, depth + 1)
      : elementToMarkdown(element, style, context);
    if (style.underline && text.trim() !== '') context.lose('underlines');
    pieces.push({ text, style, isMarkdown: isSection || element.type === 'link' });
  }
  if (!context.escapes && pieces.some(isAccidental)) context.lose('accidentalMarkup');
  const { markdown, stylesLost } = styledText(pieces, context.escapes);
  context.lose('styles', stylesLost);
  return markdown;
}

function isAccidental(
  { text, style, isMarkdown }: StyledPiece,
  index: number,
  pieces: readonly StyledPiece[],
): boolean {
  if (style.code || isMarkdown) return false;
  return meansMarkup(text, { isMarkup: false, isLineStart: index === 0 || pieces[index - 1]!.text.endsWith('\n') });
}

type SlackStyle = Style & { readonly underline?: unknown };

const plain: SlackStyle = {};

/** Slack's flags have the names that the kit has. */
const readStyle = ({ style }: Element): SlackStyle =>
  style === undefined ? plain : ((asObject(style) ?? plain) as SlackStyle);

function elementToMarkdown(element: Element, style: Style, context: BlockContext): string {
  switch (element.type) {
    case 'text':
      context.fault ??= textProblem('text', element.text);
      return asString(element.text) ?? '';
    case 'link':
      return style.code ? plainText(element) : linkTo(asString(element.url) ?? '', asString(element.text), context);
    case 'user':
      return mentionUser(asString(element.user_id) ?? '', labelIn('@', element.user_id, context), context);
    case 'usergroup':
      return nameUserGroup(
        asString(element.usergroup_id) ?? '',
        labelIn('!subteam^', element.usergroup_id, context),
        context,
      );
    case 'channel':
      return nameChannel(asString(element.channel_id) ?? '', labelIn('#', element.channel_id, context), context);
    case 'broadcast':
      return `@${asString(element.range) ?? 'here'}`;
    case 'emoji':
      return emojiElement(element, context);
    case 'color':
      return asString(element.value) ?? '';
    case 'date':
      return asString(element.fallback) ?? isoTime(asNumber(element.timestamp)) ?? '';
    case 'canvas':
      return context.fileTitle(asString(element.file_id) ?? '');
    default:
      context.fault ??= textProblem('type', element.type);
      context.unknownTypes.push(asWord(element.type));
      return plainText(element);
  }
}

/** Blocks have ids only; the message's plain text may have the name next to the id: `<@U1|ada>`, `<!subteam^S1|@designers>`. */
function labelIn(prefix: string, id: unknown, { fallbackText }: BlockContext): string | undefined {
  const beginning = `<${prefix}${asWord(id)}|`;
  const start = fallbackText.indexOf(beginning);
  const label = start < 0 ? undefined : fallbackText.slice(start + beginning.length).split('>', 1)[0];
  return label === undefined ? undefined : decodeEntities(label);
}

/** `unicode` is right even for names that are not in our table. */
function emojiElement(element: Element, context: TextContext): string {
  const unicode = asString(element.unicode);
  const name = asString(element.name) ?? '';
  const points = isCodePoints(unicode) ? unicode.split('-').map((hex) => Number.parseInt(hex, 16)) : undefined;
  const emoji = points?.every((point) => point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : namedEmoji(element, name);
  if (emoji === undefined) context.lose('emojiInText');
  return emoji ?? `:${name}:`;
}

/** Exports of 2019 to 2021 have no code points: the skin tone is a separate field, or part of the name. */
function namedEmoji({ skin_tone: tone }: Element, name: string): string | undefined {
  const said = typeof tone === 'number' && tone >= 2 && tone <= 6 ? String(tone) : undefined;
  return said === undefined ? emojiWithTone(name) : findEmoji(name, said);
}

const isCodePoints = (unicode: string | undefined): unicode is string =>
  unicode !== undefined && /^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(unicode);
