import type { SlackBlock, SlackBlockElement, SlackRichElement, SlackTableCell, SlackText } from './format.ts';
import { textProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import { bold, markdownLink, table } from '../kit/text/markdown.ts';
import { linkTo, type TextContext } from './references.ts';
import { type BlockContext, richTextToMarkdown } from './rich-text.ts';
import { mrkdwnToMarkdown, plainToMarkdown, typedText } from './text.ts';

type Block = Untrusted<SlackBlock>;
type BlockElement = Untrusted<SlackBlockElement>;

/** Layout blocks as Markdown, a blank line between them. Buttons keep their words, menus and inputs have none. */
export function blocksToMarkdown(blocks: readonly unknown[], context: BlockContext): string {
  const texts: string[] = [];
  for (const value of blocks) {
    const block = asObject<SlackBlock>(value);
    const text = block && blockToMarkdown(block, context);
    if (text) texts.push(text);
  }
  return texts.join('\n\n');
}

/** People's messages are `rich_text`; so blocks that have one say all that was written. */
export const hasRichText = (blocks: readonly unknown[]): boolean =>
  blocks.some((block) => asObject<SlackBlock>(block)?.type === 'rich_text');

/** Pictures, buttons and videos have addresses, which a text does not say. */
export const hasAddresses = (blocks: readonly unknown[]): boolean =>
  blocks.some((value) => {
    const block = asObject<SlackBlock>(value);
    return holdsAddress(block) || holdsAddress(block?.accessory) || asArray(block?.elements).some(holdsAddress);
  });

function holdsAddress(value: unknown): boolean {
  const part = asObject<SlackBlock & SlackBlockElement>(value);
  return [part?.image_url, part?.slack_file, part?.url, part?.video_url].some((address) => Boolean(address));
}

function blockToMarkdown(block: Block, context: BlockContext): string {
  switch (block.type) {
    case 'rich_text':
      return richTextToMarkdown(asArray(block.elements), context);
    case 'section':
      return lines([
        textObject(block.text, context),
        ...asArray(block.fields).map((field) => textObject(field, context)),
        elementToMarkdown(block.accessory, context),
      ]);
    case 'header':
      return bold(textObject(block.text, context));
    case 'context':
    case 'actions':
      return asArray(block.elements)
        .map((element) => elementToMarkdown(element, context))
        .filter(Boolean)
        .join(' ');
    case 'input':
      return lines([textObject(block.label, context), elementToMarkdown(block.element, context)]);
    case 'divider':
      return '---';
    case 'image':
      return imageLink(block, context);
    case 'markdown':
      return asString(block.text) ?? '';
    case 'video':
      return linkTo(
        asString(block.title_url) ?? asString(block.video_url) ?? '',
        textObject(block.title, context),
        context,
      );
    case 'call':
      return callLink(block);
    case 'table':
      return table(asArray(block.rows).map((row) => asArray(row).map((cell) => cellToMarkdown(cell, context))));
    case 'alert':
    case 'card':
    case 'carousel':
    case 'container':
    case 'data_table':
    case 'plan':
    case 'task_card':
      return partWords(block, context);
    case 'file':
    case 'context_actions':
      return '';
    default:
      context.fault ??= textProblem('type', block.type);
      context.unknownTypes.push(asWord(block.type));
      return partWords(block, context);
  }
}

/** Plain texts of a block: `title` of a task. */
const plainKeys: ReadonlySet<string> = new Set(['title', 'subtitle', 'text', 'description', 'name']);

/** The texts, pictures, buttons and blocks inside of a block in their order, whatever their keys are. */
function partWords(block: object, context: BlockContext): string {
  return lines(
    Object.entries(block).flatMap(([key, value]: [string, unknown]) => {
      if (typeof value === 'string') return plainKeys.has(key) ? plainToMarkdown(value, context) : '';
      const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
      return parts.map((part) => describePart(part, context));
    }),
  );
}

function describePart(part: unknown, context: BlockContext): string {
  if (Array.isArray(part))
    return part
      .map((cell) => describePart(cell, context))
      .filter(Boolean)
      .join(' ');
  const object = asObject<SlackBlock & SlackBlockElement>(part);
  if (object === undefined) return '';
  if (elementTypes.has(object.type)) return elementToMarkdown(object, context);
  if (object.type === 'url') return linkTo(asString(object.url) ?? '', asString(object.text) ?? '', context);
  return object.type === undefined ? partWords(object, context) : blockToMarkdown(object, context);
}

const elementTypes: ReadonlySet<unknown> = new Set([
  ...['mrkdwn', 'plain_text', 'button', 'workflow_button', 'image', 'checkboxes', 'radio_buttons'],
]);

const lines = (parts: readonly string[]) => parts.filter(Boolean).join('\n');

function textObject(value: unknown, context: TextContext): string {
  const object = asObject<SlackText>(value);
  const text = asString(object?.text) ?? '';
  return object?.type === 'mrkdwn' ? mrkdwnToMarkdown(text, context) : plainToMarkdown(text, context);
}

/** Returns a text object, button, image or list of choices. For input elements only the prompt is kept. */
function elementToMarkdown(value: unknown, context: TextContext): string {
  const element = asObject<SlackBlockElement>(value);
  switch (element?.type) {
    case 'mrkdwn':
    case 'plain_text':
      return textObject(element, context);
    case 'button':
    case 'workflow_button':
      return button(element, context);
    case 'image':
      return imageLink(element, context);
    case 'checkboxes':
    case 'radio_buttons':
      return lines(
        asArray(element.options).map((option) => `- ${textObject(asObject<SlackBlock>(option)?.text, context)}`),
      );
    case undefined:
      return '';
    default:
      context.lose('menus');
      return textObject(element?.placeholder, context);
  }
}

function button(element: BlockElement, context: TextContext): string {
  const text = textObject(element.text, context);
  const url = asString(element.url);
  return url ? linkTo(url, text, context) : text && `[${text}]`;
}

function imageLink(image: Untrusted<SlackBlock & SlackBlockElement>, context: TextContext): string {
  const url = asString(image.image_url) ?? asString(asObject<SlackBlock['slack_file']>(image.slack_file)?.url);
  const words = textObject(image.title, context) || (asString(image.alt_text) ?? '');
  return url ? linkTo(url, words || 'image', context) : words;
}

function callLink(block: Block): string {
  const call = asObject<SlackBlock['call']['v1']>(asObject<SlackBlock['call']>(block.call)?.v1);
  return markdownLink(asString(call?.join_url) ?? '', asString(call?.name) ?? 'Call');
}

function cellToMarkdown(value: unknown, context: BlockContext): string {
  const cell = asObject<SlackTableCell>(value);
  const isRich = cell?.type === 'rich_text';
  return isRich ? richTextToMarkdown(asArray(cell.elements), context) : typedText(asString(cell?.text) ?? '', context);
}

/**
 * The text of a block that says no more than the message's own `text`: one plain piece, equal to it, without marks of styles, which are
 * letters in a block.
 * Such messages are read from `text`, which is quicker and comes to the same.
 */
export function isPlainCopy(blocks: readonly unknown[], text: string): boolean {
  if (blocks.length !== 1) return false;
  const section = onlyElement(asObject<SlackBlock>(blocks[0]), 'rich_text');
  const piece = onlyElement(section, 'rich_text_section');
  return piece?.type === 'text' && piece.text === text && piece.style === undefined && !/[*_~`]/.test(text);
}

function onlyElement(parent: Untrusted<{ type: string; elements: unknown[] }> | undefined, type: string) {
  const elements = parent?.type === type ? asArray(parent.elements) : [];
  return elements.length === 1 ? asObject<SlackRichElement>(elements[0]) : undefined;
}
